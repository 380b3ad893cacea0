/** Writes the JSON Schema of the operator's file, for editors (`npm run operator-schema`). */
import { writeFileSync } from 'node:fs'
import { operatorJsonSchema } from '../config/operator/schema.ts'

writeFileSync('config/operator-file.schema.json', JSON.stringify(operatorJsonSchema()))
