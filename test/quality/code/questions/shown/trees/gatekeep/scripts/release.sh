#!/bin/sh
# Builds for every platform and writes the checksums next to the archives.
set -eu
for target in linux/amd64 linux/arm64 darwin/arm64; do
  GOOS=${target%/*} GOARCH=${target#*/} go build -o "out/gatekeep-${target%/*}-${target#*/}" ./cmd/gatekeep
done
(cd out && sha256sum gatekeep-* > SHA256SUMS)
