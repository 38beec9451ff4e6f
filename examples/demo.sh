#!/bin/sh
# Run a small house: two tables linked to one progressive meter, bots at the tables, and a jackpot from win to audit.
# The odds are staged (see demo-rules.toml), so that a jackpot takes a few hundred rounds. Usage: examples/demo.sh
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

# Play until the jackpot is won. The win waits for one supervisor, or for two above $5,000; the meter is reseeded at once.
wins=
while [ -z "$wins" ]; do
    hcf house play demo-1 demo-2 --rounds 50 --seats 6
    wins=$(hcf house wins --json | sed -n 's/^ *"win": \([0-9]*\),*$/\1/p')
done
hcf house wins
for win in $wins; do
    hcf house approve demo "$win" --as sam
    if hcf house wins --json | grep -q "\"win\": $win\b"; then
        hcf house approve demo "$win" --as sue
    fi
done

# Check the meter against the bets that fed it, published rounds against their proofs, and all books.
hcf house meter reconcile demo
hcf house proof demo-1 1 2 3 > "$folder/rounds.txt"
hcf verify "$folder/rounds.txt"
hcf audit
