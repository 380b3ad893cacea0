#!/bin/sh
# Places one order with two lines against a local service.
curl -sS -X POST http://localhost:8080/orders \
  -H 'content-type: application/json' \
  -d '{"customer":"c-17","lines":[{"sku":"MUG-1","quantity":2},{"sku":"TEE-M","quantity":1}]}'
