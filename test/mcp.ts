import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { atEnd } from './at-end.ts';
import type { Body, Harness, Person } from './harness.ts';

/** Programs of models, by the official library. */
export function mcpOf(h: Harness) {
  const opened: Client[] = [];
  atEnd(async () => {
    for (const client of opened) await client.close();
  });
  return {
    /** With that person's key and token. */
    async connect(as: Person, key = h.key): Promise<Client> {
      const client = new Client({ name: 'a test', version: '1' });
      const transport = new StreamableHTTPClientTransport(new URL(`${h.app.apiUrl()}/mcp-server`), {
        requestInit: { headers: { 'x-api-key': key, authorization: `Bearer ${as.token}` } },
      });
      // The library's own types disagree where optional properties are exact.
      await client.connect(transport as unknown as Transport);
      opened.push(client);
      return client;
    },
    use: async (client: Client, name: string, given: Record<string, unknown> = {}) => {
      const answer = await client.callTool({ name, arguments: given });
      return { isError: answer.isError === true, ...(answer.structuredContent as Body) };
    },
  };
}
