import type { EvmNetwork } from '#chains/evm/port.ts';
import type { Perform } from '#kernel/http/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { LanguageModel } from '#providers/language-model/port.ts';

export type AgentDeps = Pick<Kernel, 'db' | 'clock' | 'log' | 'config' | 'budgets' | 'effects'> & {
  readonly model: LanguageModel;
  readonly isModelConfigured: boolean;
  readonly evm: EvmNetwork;
  /** All that the agent can do: what there is an endpoint for, by that endpoint's rules. */
  readonly perform: Perform;
};
