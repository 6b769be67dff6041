import { CHAIN_KEYS } from '#chains/evm/port.ts';
import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';
import { DEMO } from '../seed.ts';
import { ANSWERS } from './answers.ts';
import { DESCRIPTIONS } from './descriptions.ts';
import { MEANINGS } from './meanings.ts';
import { ORIGINS } from './origins.ts';
import { PLACES } from './places.ts';

const [CHAIN, OTHER_CHAIN] = CHAIN_KEYS;
const ADDRESS = '0x742d35Cc6634C0532925a3b844Bc454e4438f44e';
const HASH = '0x9fc76417374aa880d4449a1f7f31ec597f00b1f6f3dd2d66f4c9c6c445836d8b';
const TIME = '2026-11-22T03:00:58.447Z';

/**
 * An example of each field by its name, since one name means one thing here; the first line that fits and that
 * the field's schema takes. What is sent works in the sandbox as it is: these are the demo's people and test cards.
 */
const EXAMPLES: Vocabulary['examples'] = [
  [/^usernameoremail$/, DEMO.user.email],
  [/^q$/, DEMO.operator.email],
  [/^(current_)?password$/, DEMO.user.password],
  [/^new_password$/, 'Another-demo-1'],
  [/^(api_)?key$/, DEMO.apiKey],
  [/^email|e?mailx?$/i, 'ada@example.com'],
  [/^card_?number$/i, '4111111111111111'],
  [/^expiry_?date$/i, '1232'],
  [/^cvv$/, '123'],
  [/^card_last4$/, '1111'],
  [/phone/, '+12025550100'],
  [/^(client_alias|alias|instance_name|company)$/, 'Ada & Co'],
  [/^client_type$/, 'BUSINESS'],
  [/^client_code$/, 'CL-202611-0001'],
  [/^(username|usernamex)$/, 'ada'],
  [/^role$/, 'user'],
  [/^country_code$|^country$/, 'US'],
  [/^time_zone$/, 'Asia/Jakarta'],
  [/^(country_name)$/, 'United States'],
  [/^bank_?code$/i, 'BCA'],
  [/^bank_?name$/i, 'Bank Central Asia'],
  [/account_?number$/i, '8801234567'],
  [/^levelName$/, 'ekyc-indonesia-standard'],
  [/^gas_price_multiplier$/, '1.5'],
  [/_?name$/i, 'Ada Lovelace'],
  [/^(title)$/, 'Canvas bag'],
  [/^provider_name$/, 'My application'],
  [/^(currency|currency_code|currency_from|fiat_currency|target_fiat|original_currency)$/, 'USD'],
  [/^(currency_to|receiver_currency)$/, 'SGD'],
  [/^priceText$/, 'USD 25.00'],
  [/^(amount_idr|batch_amount_idr|total_idr)$/, 50000],
  [/^(platform_fee|fee|fee_amount|usd_value)$/, 3],
  [/^(platform_fee|fee|fee_amount|usd_value)$/, '3.00'],
  [/^(net_amount|net_?amount_?idr)$/i, 97],
  [/^(balance|balance_after|net_amount|total_balance)$/, '97.00'],
  [/^held$/, '0.00'],
  [/amount|balance|usdc|total|price|value|shipping/i, '100.00'],
  [/amount|balance|usdc|total|price|value|shipping/i, 100],
  [/rate$/, '1.00'],
  [/^(from_|source_)?chain(_id)?$/, CHAIN],
  [/^to_chain$/, OTHER_CHAIN],
  [/^(network|selected_chain)$/, 'polygon'],
  [/^token_symbol|symbol$/, 'USDC'],
  [/hash$|^txid$/i, HASH],
  [/^wallet_address$/, DEMO.wallet.address],
  [/^(to|from)$|address$|contract$|^(token|usdc|mcp)_contract$/i, ADDRESS],
  [/^bw_id$/, 1],
  [/^(transaction_identifier|transactionIdentifier)$/, '234234322342343'],
  [/^approval_code$/, '98765X'],
  [/^reference(_id|Id)?$|^original_reference$/, 'TOPUP-NFCRADBEHKLMPQGJ'],
  [/^(order|push|refund|disbursement|transaction)_id$/, '7a1d4b9e-52c6-4a8e-9f53-0c7d1f2e6a11'],
  [/^event_id$/, 'evt_01KAMCSW5F6N1DM3V8Q2ZT7XYB'],
  [/^(types?|event_types?)$/, 'payment.succeeded'],
  [/^url$|_url$|^site$|Url$|link$/i, 'https://shop.example/bag'],
  [/^image$/, 'https://shop.example/bag.jpg'],
  [/^(otp_code|two_fa_token|code)$/, '123456'],
  [/^(reason|note|notes|description)$/, 'At the customer’s request'],
  [/^user_input$|^prompt$|^message$|^query$/, 'a canvas bag'],
  [/_at$|At$|^(created|updated|timestamp|at|since|until)$|_time$|_until$/, TIME],
  [/^limit$/, 50],
  [/^(user_id|wallet_id|wallet_from_id|wallet_to_id)$/, 3],
  [/^client_id$/, 2],
];

export const VOCABULARY: Omit<Vocabulary, 'bodies'> = {
  examples: EXAMPLES,
  answers: ANSWERS,
  meanings: MEANINGS,
  descriptions: DESCRIPTIONS,
  places: PLACES,
  origins: ORIGINS,
};
