import type { Clock } from '#kernel/clock.ts';
import type { Feature } from '#kernel/feature.ts';
import type { Route } from '#kernel/http/declare/route.ts';
import type { Logger } from '#kernel/log.ts';
import type { Vault } from '#kernel/secrets/vault.ts';
import type { AskOwn } from './call-tool.ts';
import { createConfirmations } from './confirmation.ts';
import { MCP_SERVER_WORDS } from './reference.ts';
import { mcpServerRoutes } from './routes.ts';
import { type DescribedTool, describeTool } from './tool-schema.ts';
import { TOOLS } from './tools.ts';

export type { AskOwn } from './call-tool.ts';

interface Deps {
  readonly clock: Clock;
  readonly vault: Vault;
  readonly log: Logger;
  readonly askOwn: AskOwn;
  /** All that the service answers, once it is composed. */
  routes(): readonly Route[];
}

/** Endpoints of ours as tools of a language model that somebody else runs. */
export function createMcpServer({ clock, vault, log, askOwn, routes }: Deps): Feature {
  let described: readonly DescribedTool[] | undefined;
  const tools = () => {
    described ??= TOOLS.map((tool) => describeTool(tool, routes()));
    return described;
  };
  const confirmations = createConfirmations({ vault, clock });
  return {
    name: 'mcp-server',
    reference: MCP_SERVER_WORDS,
    routes: mcpServerRoutes({ confirmations, askOwn, log, tools }),
  };
}
