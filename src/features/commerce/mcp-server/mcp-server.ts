import type { Clock } from '#kernel/clock.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Logger } from '#kernel/log.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import { createConfirmations } from './confirmation.ts';
import { MCP_SERVER_WORDS } from './reference.ts';
import { mcpServerRoutes } from './routes.ts';
import type { ModelTools } from './run-tool.ts';

export { keyScopesOfTools } from './app-scopes.ts';
export { CONFIRM_WITHIN_MS } from './confirmation.ts';
export { createTools, type ModelTools } from './run-tool.ts';
export type { Arguments } from './tool.ts';
export type { ToolName } from './tools.ts';

interface Deps {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly tools: ModelTools;
}

/** Endpoints of ours as tools of a language model that others run. */
export function createMcpServer({ clock, vault, log, tools }: Deps): Feature {
  const confirmations = createConfirmations({ vault, clock });
  return {
    name: 'mcp-server',
    reference: MCP_SERVER_WORDS,
    routes: mcpServerRoutes({ confirmations, tools, log }),
  };
}
