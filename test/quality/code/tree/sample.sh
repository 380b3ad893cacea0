#!/bin/bash
# fake() { :; }
set -e
readonly LIMIT=3
name="in_string() { :; }"
# Says hello.
hello() {
  local x=1
  echo "function quoted { }"
  inner() { echo; }
}
function with_keyword {
  cat <<EOF
in_heredoc() { echo; }
EOF
}
function both() ( subshell )
ns::scoped-name() { :; }
one_line() { echo 'also() { }'; }; export -f one_line
if true; then
  conditional() { :; }
fi
