# SPDX-License-Identifier: GPL-3.0-or-later
# Standard input as a scenario, which neither the command nor the window opens.
cat > s.json
twosphere run s.json --csv a.csv || twosphere s.json
