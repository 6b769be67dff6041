import type { EvmNetwork } from '#chains/evm/port.ts';
import type { ModelTools } from '#features/commerce/mcp-server/mcp-server.ts';
import type { OnBehalf } from '#kernel/http/answer/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';

export type AgentDeps = Pick<
  Kernel,
  'db' | 'clock' | 'log' | 'config' | 'quotas' | 'effects' | 'vault' | 'shares' | 'policies'
> & {
  readonly model: LanguageModel;
  readonly isModelConfigured: boolean;
  readonly evm: EvmNetwork;
  /** All that the agent can do: endpoints, by their own rules. */
  readonly tools: ModelTools;
};

/** One message of a user, with the request that brought it. */
export interface ChatMessage extends OnBehalf {
  readonly input: string;
  readonly context: unknown;
  /** The request's own operation, for calls that the agent makes at once. */
  readonly operation: string;
}
