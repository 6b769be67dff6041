import { UUID } from '#kernel/openapi/example-values.ts';
import type { FeatureWords } from '#kernel/openapi/vocabulary.ts';

/** What the reference says of this feature beside its declarations. */
export const PSP_CUSTOMERS_WORDS: FeatureWords = {
  answers: [
    [/^psp_(provider|id)$/, 'PSP_A'],
    [/^(customer_id|pspb_customer_id)$/, `cust-${UUID}`],
  ],
};
