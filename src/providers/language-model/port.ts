import type { Static, TSchema } from 'typebox';
import type { Outcome } from '#kernel/provider-call.ts';

/** One turn of a conversation. Text of pages and strangers belongs into `material`, not here. */
export interface ModelTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** The model's own count; 0 where it reports none. */
export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface ModelPrompt {
  /** One word for logs, traces and the sandbox's rules: `wallet-intent`, `shop-intent`, `expand-query`. */
  readonly task: string;
  /** The model's instructions, in our words only. */
  readonly instructions: string;
  readonly turns: readonly ModelTurn[];
  /** Text of others, such as a page or a product: the model gets it as data, never as instructions. */
  readonly material?: string;
}

export interface ModelAnswer<T> {
  readonly value: T;
  readonly usage: TokenUsage;
}

/**
 * A language model. It only proposes: the adapter checks its answer by schema, and the endpoint that acts on it checks
 * it like any caller's request. `refused` with MODEL_ANSWER_INVALID where the answer does not fit, `unknown` where none
 * came in time.
 */
export interface LanguageModel {
  /** A value of that shape. */
  propose<S extends TSchema>(
    question: ModelPrompt,
    schema: S,
  ): Promise<Outcome<ModelAnswer<Static<S>>>>;
  /** Sentences for a person, at most `maxTokens` long. */
  say(
    question: ModelPrompt & { readonly maxTokens?: number },
  ): Promise<Outcome<ModelAnswer<string>>>;
  /** Whether the model answers, and its name. */
  probe(): Promise<Outcome<{ readonly model: string }>>;
}
