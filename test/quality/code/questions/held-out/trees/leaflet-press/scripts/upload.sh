#!/bin/sh
# Pages go up after the files they refer to, so that visitors never see a page without its style.
set -eu
: "${TARGET:?set TARGET to user@host:/folder}"
rsync -a --exclude='*.html' public/ "$TARGET"
rsync -a --delete public/ "$TARGET"
