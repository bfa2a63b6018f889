// SPDX-License-Identifier: GPL-3.0-or-later
//
// The list of functions of one number in texts and in fields. Each is one record here, and only
// here:
//
//   FUNCTION(name, what its derivative reads, derivative, code)
//
// The names, the functions of a double (core/language/functions.h), the instructions of the tape
// and of machine code and the derivatives of both modes are generated from the records. The
// derivative is a function of x, the argument, and y, the value, which are numbers of a type T; it
// reads the argument, the value, or nothing (then it is 0). The code of a library function is a
// call of that of the C library with this name; an own function is defined for every type of
// numbers (functions.h, core/program/llvm_symbol.cpp).
//
// An including file defines FUNCTION; otherwise there is nothing here.
#ifndef FUNCTION
#define FUNCTION(...)
#endif

FUNCTION(sqrt, value, 0.5 * (T(1) / y), own)
FUNCTION(exp, value, y, library)
FUNCTION(log, argument, T(1) / x, library)
FUNCTION(sin, argument, cos(x), library)
FUNCTION(cos, argument, -sin(x), library)
FUNCTION(tan, value, T(1) + y * y, library)
FUNCTION(asin, argument, T(1) / sqrt((T(1) - x) * (T(1) + x)), library)
FUNCTION(acos, argument, T(-1) / sqrt((T(1) - x) * (T(1) + x)), library)
FUNCTION(atan, argument, T(1) / (T(1) + x * x), library)
FUNCTION(sinh, argument, cosh(x), library)
FUNCTION(cosh, argument, sinh(x), library)
FUNCTION(tanh, value, (T(1) - y) * (T(1) + y), library)
FUNCTION(abs, argument, sign(x), own)
FUNCTION(sign, nothing, T(0), own)

#undef FUNCTION
