/** The introduction of /admin/openapi.json in Markdown. */
export function adminGuide(publicUrl: string): string {
  return `Creates, lists and revokes keys, and rebuilds search indexes. Every call needs a key with the scope \`admin\`, and
works on the workspace of that key. The first start of the service prints such a key.

\`\`\`sh
curl -sS "${publicUrl}/admin/keys" -H "Authorization: Bearer $PRECEDENT_API_KEY"
\`\`\`

The command line has the same calls: \`precedent keys\` and \`precedent reindex\`.

Monitoring uses three more addresses:

- \`GET /livez\` answers 200 while the process is alive.
- \`GET /readyz\` answers 200 if reads and writes work, and 503 with the reason if not.
- \`GET /metrics\` has metrics in the text format of Prometheus. It needs an admin key of the first workspace.

[All error codes](${publicUrl}/docs/problems) are explained on their own page.
`
}
