import { Type } from 'typebox';
import type { Outcome } from '#kernel/effects/outcome.ts';
import { fail } from '#kernel/error.ts';
import { oneOfWords } from '#kernel/http/declare/schema.ts';
import { isNotConfigured, notConfigured } from '#kernel/provider-call.ts';
import type { PageProduct } from '#providers/shop/port.ts';
import type { PurchaseDeps } from './deps.ts';
import type { Pricing } from './quote.ts';
import { shownPricing } from './quote.ts';

/**
 * The language model's part in a purchase: the buyer's intent, and two texts for the buyer. No price, address or
 * recipient ever comes from it.
 */
type Model = PurchaseDeps['model'];

const INTENTS = ['PURCHASE', 'PRODUCT_INFO', 'OTHER'] as const;
const Intent = Type.Object({ detected_intent: oneOfWords(INTENTS) });

const TEXT_MAX = 1000;
const TOKENS_MAX = 200;
const RETRY_S = 5;

/** The intent of a prompt: one of our words, for any answer of the model. */
export async function intentOf(model: Model, prompt: string): Promise<string> {
  const answer = await model.propose(
    {
      task: 'purchase-intent',
      instructions:
        'Say whether the user wants to buy a product (PURCHASE), only to know something about one ' +
        '(PRODUCT_INFO), or something else (OTHER).',
      turns: [{ role: 'user', content: prompt }],
    },
    Intent,
  );
  if (answer.kind === 'refused' && answer.code === 'MODEL_ANSWER_INVALID') return 'OTHER';
  return requireAnswer(answer).value.detected_intent;
}

/** Some sentences about a product, for a person. */
export const summaryOf = (
  model: Model,
  { title, priceText, description, site }: PageProduct,
): Promise<string> =>
  sentences(model, {
    task: 'product-summary',
    instructions:
      'Sum the product up for a buyer in two sentences, in the language of its description. ' +
      'Name no price but the one given.',
    material: JSON.stringify({ product: { title, priceText, description, site } }),
  });

/** The question that a buyer agrees to. */
export const confirmationOf = (
  model: Model,
  title: string,
  pricing: Pick<Pricing, 'price' | 'usdc' | 'rate'>,
): Promise<string> =>
  sentences(model, {
    task: 'purchase-confirmation',
    instructions:
      'Ask the buyer in two sentences whether they want to buy the product at that price, and for ' +
      'name, phone and address of whoever is to receive it.',
    material: JSON.stringify({ product: { title }, pricing: shownPricing(pricing) }),
  });

async function sentences(
  model: Model,
  asked: { readonly task: string; readonly instructions: string; readonly material: string },
): Promise<string> {
  const answer = requireAnswer(await model.say({ ...asked, turns: [], maxTokens: TOKENS_MAX }));
  const text = answer.value.replace(/[^\P{C}\n]/gu, '').trim();
  return text.slice(0, TEXT_MAX).toWellFormed();
}

/** Throws PROVIDER_UNAVAILABLE. */
function requireAnswer<T>(outcome: Outcome<T>): T {
  if (outcome.kind === 'done') return outcome.value;
  if (isNotConfigured(outcome)) throw notConfigured('The language model');
  throw fail('PROVIDER_UNAVAILABLE', 'The language model did not answer', { retryAfter: RETRY_S });
}
