#!/bin/sh
# Run a small house: two tables linked to one progressive meter, bots at the tables, and the jackpot from hit to audit.
# The odds are staged (see demo-rules.toml). Usage: examples/demo.sh [ROUNDS], 200 at each table by default.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export HCF_DB="sqlite:///$folder/house.db"

hcf db upgrade
hcf house person add sam supervisor
hcf house person add sue supervisor
hcf house meter add demo --paytable "$here/demo-rules.toml/STAGED" --base 5 --second-above 5000
for table in demo-1 demo-2; do
    hcf house table add "$table" --rulebook "$here/demo-rules.toml" --meter demo --set mandatory progressive
done

# Play. A jackpot above $5,000 waits for two supervisors; play goes on with the reseeded meter.
hcf house play demo-1 demo-2 --rounds "${1:-200}" --seats 6
hcf house wins
for win in $(hcf house wins --json | sed -n 's/^ *"win": \([0-9]*\),*$/\1/p'); do
    hcf house approve demo "$win" --as sam
    hcf house approve demo "$win" --as sue || true # one approval is enough for a smaller win
done

# Check: the meter against the bets that fed it, a published round against its proof, and all books.
hcf house meter reconcile demo
hcf house proof demo-1 1 2 3 > "$folder/rounds.txt"
hcf verify "$folder/rounds.txt"
hcf audit
