#!/bin/sh
# An executor that writes what it does to a file, and behaves as the instructions of its task say.
# $1: the folder of the file `told`, in which each line is: event, session, phase, process, time.
# It is a shell script because many of them run at once on a small machine.
folder=$1
read -r document
field() { printf '%s' "$document" | sed -n 's/.*"'"$1"'":"\([a-z0-9-]*\)".*/\1/p'; }
phase=$(field phase)
what=$(field instructions)

# it goes on when nobody reads what it prints
trap '' PIPE
tell() { echo "$1 $PRECEDENT_SESSION $phase $$ $(date +%s.%N)" >> "$folder/told"; }
say() { printf '%s\n' "$1" 2> /dev/null; }
milestone() { say '{"type":"milestone","title":"'"$1"'"}'; }
result() { say '{"type":"result","summary":"Done by '"$PRECEDENT_SESSION"'. '"$1"'","links":[]}'; }
plan() { say '{"type":"plan","text":"Plan of '"$PRECEDENT_SESSION"'","steps":["One"]}'; }
isOpen() { [ -e "$folder/open" ] || [ -e "$folder/open-$what" ]; }
# until the test opens the gate
work() {
  step=0
  until isOpen; do
    step=$((step + 1))
    tell step
    milestone "Step $step"
    sleep 0.4
  done
}
# never ends by itself; $1: its event
forever() {
  trap '' TERM
  while :; do tell "$1"; sleep 0.4; done
}
# in its group, and out of it
family() {
  forever child &
  # a group of its own, and no parent here
  export folder phase
  (setsid sh -c 'trap "" TERM; while :; do
    echo "stray $PRECEDENT_SESSION $phase $$ $(date +%s.%N)" >> "$folder/told"; sleep 0.4; done' &)
}

tell start
if [ "$phase" = plan ]; then
  case $what in slow-plan*) work ;; esac
  [ "$what" = secret-plan ] && say '{"type":"plan","text":"Use '"$TOKEN"'","steps":["Send '"$TOKEN"'"]}' || plan
  tell end
  exit 0
fi
case $what in
  result-first*) result first; work ;;
  # its first process ends at once; the others need a SIGKILL
  lingers*) family; result lingers; tell end; exit 0 ;;
  stubborn*) trap '' TERM; family; work; result stubborn ;;
  beyond) trap '' TERM; family; forever step ;;
  exits) exit 0 ;;
  fails) exit 3 ;;
  flood)
    head -c 50000000 /dev/zero | tr '\0' x
    echo
    yes 'A line of output that says nothing, and is repeated very often, until the limit is reached.' | head -c 50000000
    echo
    echo the end of the flood
    result flood
    ;;
  half) result whole; printf '{"type":"result","summary":"ha' ;;
  unended) printf '{"type":"result","summary":"Done without an end of line","links":[]}' ;;
  binary)
    head -c 200000 /dev/urandom
    printf '\n{"type":"milestone","title":"zero \\u0000, half \\ud800, \377\376"}\n'
    milestone 'after the bytes'
    result binary
    ;;
  closes) exec 1>&- 2>&-; work ;;
  secret*)
    say '{"type":"milestone","title":"With '"$TOKEN"'","text":"and '"$PRECEDENT_API_KEY"'","data":{"token":"'"$TOKEN"'","'"$TOKEN"'":1}}'
    say "$TOKEN"
    say "$TOKEN and $PRECEDENT_API_KEY" >&2
    printf '%s' "$TOKEN" | head -c 12
    sleep 0.3
    printf '%s\n' "$TOKEN" | tail -c +13
    say '{"type":"result","summary":"Used '"$TOKEN"' and '"$PRECEDENT_API_KEY"'.","links":["https://example.com/?token='"$TOKEN"'"]}'
    [ "$what" = secret-fails ] && exit 4
    ;;
  *) work; result "$what" ;;
esac
tell end
