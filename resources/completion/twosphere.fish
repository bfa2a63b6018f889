# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of twosphere in fish.
function __twosphere_command
  set -l words (commandline -opc)
  if test (count $words) -ge 2; and not string match -q -- '-*' $words[2]
    test "$argv[1]" = $words[2]
  else
    test -z "$argv[1]"
  end
end
function __twosphere_argument
  __twosphere_command $argv[1]; and test (count (commandline -opc)) $argv[2..]
end
complete -c twosphere -f
