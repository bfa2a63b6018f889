# SPDX-License-Identifier: GPL-3.0-or-later
# A new sweep of ten tasks in the folder $1, with these further options.
twosphere sweep new "$@" --preset double_spherical_pendulum --duration 2 --axis system.gravity=1:20:5 \
  --axis initial.omega[1][1]=-1,0.5 --measure energy_error.max --measure total_energy.last --measure megno --measure lyapunov
