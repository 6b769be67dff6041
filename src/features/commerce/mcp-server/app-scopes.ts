import type { ApiKey } from '#kernel/http/declare/api-key.ts';
import type { ModelTools } from './run-tool.ts';
import type { DescribedTool } from './tool-schema.ts';

/** The word of the scope in which a tool is: of a connected app a person has allowed some of them. */
function scopeOf({ asks, looks, endpoint }: DescribedTool): string {
  if (asks) return 'mcp:pay';
  return looks || endpoint.startsWith('GET ') ? 'mcp:read' : 'mcp:write';
}

/** The scopes of a key that opens the tools of these words, and nothing beside them. */
export function keyScopesOfTools(tools: ModelTools, words: readonly string[]): string[] {
  const areas = tools
    .offered()
    .filter((tool) => words.includes(scopeOf(tool)))
    .map(({ endpoint }) => {
      const [method, path = ''] = endpoint.split(' ');
      return `${path.split('/')[1]}:${method === 'GET' ? 'read' : 'write'}`;
    });
  return [...new Set(['mcp-server:write', ...words, ...areas])].sort();
}

/** The tools that such a key opens; all where it is a usual one. */
export function toolsFor(tools: ModelTools, key: ApiKey | null): readonly DescribedTool[] {
  const words = key?.scopes.filter((scope) => /^mcp:\w/.test(scope)) ?? [];
  if (words.length === 0) return tools.offered();
  return tools.offered().filter((tool) => words.includes(scopeOf(tool)));
}
