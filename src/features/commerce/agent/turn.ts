import type { Confirmation } from './confirmation-store.ts';
import type { AgentIntent, Given, Language } from './intent.ts';
import * as texts from './texts.ts';

/** The agent's answer to one message. */
export interface AgentTurn {
  readonly intent: AgentIntent;
  readonly message: string;
  readonly completed?: boolean;
  readonly cancelled?: boolean;
  readonly needsWallet?: boolean;
  /** The parameter that the agent needs to go on. */
  readonly missing?: string;
  readonly options?: readonly string[];
  readonly actions?: readonly string[];
  readonly data?: unknown;
}

/** Asks the user to confirm. */
export function toConfirm(row: Confirmation, given?: Given, wallet_name?: string): AgentTurn {
  const { confirmation_id, code, needs_code, expires_at, intent, parameters } = row;
  const words = texts.wordsFor(row);
  return {
    intent,
    message: texts.confirmation(row, wallet_name),
    missing: 'confirmation',
    options: words,
    actions: words,
    data: {
      intent,
      parameters: given ?? parameters,
      confirmation: { confirmation_id, code, needs_code, expires_at, will_do: parameters },
    },
  };
}

export const askForIntent = (message: string, language: Language): AgentTurn => ({
  intent: 'unknown',
  message,
  missing: 'intent',
  options: [
    'create_wallet',
    'add_address',
    'balance',
    'history',
    'import_token',
    'send',
    'crosschain_transfer',
    'help',
  ],
  actions: texts.examples(language),
});

/** As the contract has it. */
export function shownTurn(user_input: string, turn: AgentTurn) {
  const { completed = false, cancelled = false, needsWallet = false, missing } = turn;
  const data = turn.data ?? null;
  return {
    user_input,
    ai_response: turn.message,
    message: turn.message,
    intent_type: turn.intent,
    completed,
    cancelled,
    requires_onboarding: needsWallet,
    requires_input: missing !== undefined,
    missing_parameter: missing ?? null,
    available_options: [...(turn.options ?? [])],
    suggested_actions: [...(turn.actions ?? [])],
    data,
    execution_result: { data: completed ? data : null },
    conversation_state: {
      onboarding_required: needsWallet,
      input_required: missing !== undefined,
      completed,
      cancelled,
      has_data: data !== null,
    },
  };
}
