import { type ModelQuestion, shaped } from './asked.ts';
import { productSummary, purchaseConfirmation, purchaseIntent } from './purchase.ts';
import { expandQuery } from './queries.ts';
import { shopChat } from './shop.ts';
import { walletIntent } from './wallet.ts';

type Proposal = (asked: ModelQuestion) => Readonly<Record<string, unknown>>;

const PROPOSALS: Readonly<Record<string, Proposal>> = {
  'wallet-intent': walletIntent,
  'purchase-intent': purchaseIntent,
  'shop-chat': shopChat,
  'expand-query': expandQuery,
};

const SENTENCES: Readonly<Record<string, (asked: ModelQuestion) => string>> = {
  'product-summary': productSummary,
  'purchase-confirmation': purchaseConfirmation,
};

/** What the sandbox's model answers: by the task, always the same to the same question. */
export function answerTo(asked: ModelQuestion): string {
  const propose = PROPOSALS[asked.task];
  if (propose) return JSON.stringify(shaped(propose(asked), asked.shape));
  const sentences = SENTENCES[asked.task];
  if (sentences) return sentences(asked);
  return asked.shape ? '{}' : 'I do not know this task.';
}
