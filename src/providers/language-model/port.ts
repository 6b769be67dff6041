import type { Static, TSchema } from 'typebox';
import type { Outcome } from '#kernel/provider-call.ts';

/** What was said before, oldest first. Text of pages and strangers belongs into `material`, not here. */
export interface ModelTurn {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What the model counted; 0 where it does not say. */
export interface TokenUsage {
  readonly prompt_tokens: number;
  readonly completion_tokens: number;
  readonly total_tokens: number;
}

export interface ModelPrompt {
  /** One word for logs, traces and the sandbox's rules: `wallet-intent`, `shop-intent`, `expand-query`. */
  readonly task: string;
  /** What the model is to do, in our words only. */
  readonly instructions: string;
  readonly turns: readonly ModelTurn[];
  /** What others wrote, such as a page or a product: handed over as data, never as instructions. */
  readonly material?: string;
}

export interface ModelAnswer<T> {
  readonly value: T;
  readonly usage: TokenUsage;
}

/**
 * A language model. It only proposes: what it answers is checked by schema here, and by the same rules as
 * any caller's wish where it is acted on. `refused` with MODEL_ANSWER_INVALID where the answer does not fit,
 * `unknown` where none came in time.
 */
export interface LanguageModel {
  /** A value of that shape. */
  propose<S extends TSchema>(
    question: ModelPrompt,
    schema: S,
  ): Promise<Outcome<ModelAnswer<Static<S>>>>;
  /** Some sentences for a person, at most `maxTokens` long. */
  say(
    question: ModelPrompt & { readonly maxTokens?: number },
  ): Promise<Outcome<ModelAnswer<string>>>;
  /** Whether it answers at all, and under which name. */
  probe(): Promise<Outcome<{ readonly model: string }>>;
}
