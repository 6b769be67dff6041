import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** This feature's words in the API reference, beside its declarations. */
export const MCP_SERVER_WORDS: FeatureWords = {
  tags: {
    mcp: { group: 'Operations', title: 'MCP', text: 'The API as tools for language models.' },
  },
  titles: {
    'mcp.call': 'Call the MCP server',
  },
  descriptions: {
    'mcp.call':
      'A model’s program calls it with the key and the token of the user, or with an access token of OAuth alone: a refusal names in `WWW-Authenticate` where a program gets one, and only what the person has allowed is offered. The tools do what the endpoints do, with the same limits, and ask the person before money moves.',
  },
  meanings: {
    jsonrpc: 'Always `2.0`',
    params: 'What is handed to the method',
  },
};
