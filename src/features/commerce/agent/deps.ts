import type { EvmNetwork } from '#chains/evm/port.ts';
import type { OnBehalf, Perform } from '#kernel/http/answer/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';

export type AgentDeps = Pick<
  Kernel,
  'db' | 'clock' | 'log' | 'config' | 'budgets' | 'effects' | 'vault' | 'shares'
> & {
  readonly model: LanguageModel;
  readonly isModelConfigured: boolean;
  readonly evm: EvmNetwork;
  /** All that the agent can do: what there is an endpoint for, by that endpoint's rules. */
  readonly perform: Perform;
};

/** One message of a user, and what came with it. */
export interface ChatMessage extends OnBehalf {
  readonly input: string;
  readonly context: unknown;
  /** The request's own name, for what it does at once. */
  readonly operation: string;
}
