import { CODES, type Code } from '#kernel/error.ts';
import { GUIDES } from '#kernel/http/declare/error-guide.ts';

/** Each code under a heading of its own: the search of the reference finds headings. */
export const errorCodes = (): string =>
  [
    '# Error codes',
    'Each with its usual status, why it is answered and what to do.',
    ...(Object.keys(CODES) as Code[])
      .sort()
      .map((code) => `## ${code}\n\n${CODES[code]}. ${GUIDES[code].cause} ${GUIDES[code].cure}`),
  ].join('\n\n');

export const WEBHOOKS = `# Webhooks

\`POST /webhook-endpoints\` says where to send what happens; each message is repeated until it is taken, and can be
read again in \`GET /events\` for 30 days.

## Webhook signature

Messages are signed as [Standard Webhooks](https://www.standardwebhooks.com) has it: the headers \`webhook-id\`,
\`webhook-timestamp\` and \`webhook-signature\`, an HMAC by the secret that \`POST /webhook-endpoints\` answers once. The
libraries of that standard verify them, and \`@archipay/sdk\` does; verify the bytes as they came, before they are parsed.`;

/** A model's tools: an address, a configuration to copy, and what a person confirms. */
export const modelContext = (api: string, key: string): string => `# MCP server

Programs with a language model (an editor, an assistant) call the platform's tools over the
[Model Context Protocol](https://modelcontextprotocol.io): \`POST /mcp-server\`, by streamable HTTP and without sessions.

An assistant that knows OAuth needs the address alone, \`${api}/mcp-server\`: it registers itself and sends its person to a page
here, where they log in and choose what it may do. \`GET /oauth/grants\` lists the apps that a person has let in, and \`DELETE
/oauth/grants/{grant_id}\` ends one.

A program that reads \`mcpServers\` takes this as it is, with a key and a token:

\`\`\`json
{
  "mcpServers": {
    "archipay": {
      "type": "http",
      "url": "${api}/mcp-server",
      "headers": {
        "x-api-key": "${key}",
        "authorization": "Bearer <the token of POST /auth/login>"
      }
    }
  }
}
\`\`\`

The tools act in the name of the person whose token it is, within what that person and the policies of the client allow; \`tools/list\`
names them: balances, statements and payments to read, \`top_up_from_bank\`, \`send_money\`, \`withdraw\` and \`refund_invoice\` in currencies,
\`transfer\` on chains, and shopping. None takes a card number. A
tool that moves money first answers what it would do and a word to confirm it, and does it at the second call. The token
ends with its log-in, after a day at the latest: then log in again.`;
