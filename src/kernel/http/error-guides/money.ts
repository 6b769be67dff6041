import type { Code } from '../../error.ts';
import { type Guide, guide, ID_OF_YOURS } from './guide.ts';

/** What money, wallets and products do not allow. */
export const MONEY_GUIDES = {
  INSUFFICIENT_BALANCE: guide(
    'The wallet has less than the amount and its fees, after what is held for payments under way.',
    'Read the balance, add money or send less.',
  ),
  WALLET_FROZEN: guide(
    'An admin or the operator has frozen the wallet: money comes in, and none goes out.',
    'Ask them why; what was under way before is finished.',
  ),
  INSUFFICIENT_FUNDS: guide(
    'The card or wallet has less than the amount and its fees.',
    'Use another card, add money or send less; details says what is required where it is known.',
  ),
  AMOUNT_BELOW_MINIMUM: guide(
    'The amount is below the least that is taken.',
    'Send at least what the message names.',
  ),
  LIMIT_EXCEEDED: guide(
    'The amount is above a limit for one payment, one day or one user.',
    'Send less, or wait until the limit is reset; the message says which one it is.',
  ),
  DEBT_OUTSTANDING: guide(
    'A bank or card network took money back after it was spent, and it is still owed.',
    'Add money another way: what comes into the wallet pays the debt within the hour and cannot be spent until then.',
  ),
  FEE_BELOW_FLOOR: guide(
    "A client's fees may not be below those of the platform.",
    'Raise them to at least what details names.',
  ),
  PROVIDER_REJECTED: guide(
    'The provider or chain refused for certain; nothing was moved.',
    'The message names the reason: correct it and start a new operation.',
  ),
  INVALID_STATUS: guide(
    'The object is in a state from which this step is not possible.',
    'Read the object; the step may have been done already.',
  ),
  SECOND_PERSON_REQUIRED: guide(
    'It takes two people: the ledger is corrected by one admin who proposes and another one who approves, and no admin approves a proposal of their own.',
    'Have another admin decide, whose account is old enough and was not made or changed by the first: the hint says how old. GET /adjustments/{adjustment_id} says who has proposed it.',
  ),
  NOT_REVERSIBLE: guide(
    'More than the ledger would have to be undone: a card, a bank, a chain or a product has its own record of it.',
    'Give it back by the way it came; where that is not possible, propose an adjustment of the wallet.',
  ),
  ALREADY_RETURNED: guide(
    'The payer has the money back by another way, such as a charge-back, or a part of it.',
    'Read the payment: its status says what has become of it. What was taken back is not given back again.',
  ),
  ALREADY_REVERSED: guide(
    'The transfer was reversed before, which is possible once.',
    'Nothing to do. To undo a reversal, propose to reverse that: its reference is in the statement.',
  ),
  TOKEN_NOT_SUPPORTED: guide(
    'The token is not known on that chain.',
    'Use USDC or the native coin, or import the token first.',
  ),
  NO_PSP_FOR_COUNTRY: guide(
    'No payment provider serves that country.',
    'Use one of the countries that GET /users/countries lists.',
  ),
  PAYOUT_CURRENCY_UNAVAILABLE: guide(
    'No provider pays that currency out to banks.',
    'Choose one of details.available, or have a wallet credited instead.',
  ),
  DESTINATION_TAG_REQUIRED: guide(
    'The account belongs to many people, and the ledger takes no payment to it that does not say whose it is.',
    'Ask the receiver for their tag and send it as destination_tag, or use their X-address.',
  ),
  CARD_DECLINED: guide(
    'The bank of the card declined.',
    'Do not repeat it as it is: details.reason says why; ask for another card.',
  ),
  WALLET_ACCESS_DENIED: guide(
    'The wallet is not known to be the caller’s.',
    'Name a wallet of yours, or prove that it is: POST /wallet-proofs/challenges, or POST /extauth/auth/link-wallet.',
  ),
  RECONCILIATION_FAILED: guide(
    'Our books and those of the provider differ, so nothing is paid out.',
    'Wait: an operator has to resolve the difference first.',
  ),
  WALLET_NOT_FOUND: guide('There is no such wallet for this caller.', ID_OF_YOURS),
  NO_PRIMARY_WALLET: guide(
    'The user has no primary withdrawal wallet.',
    'Save one with set_as_primary first.',
  ),
  JOB_NOT_FOUND: guide('There is no such conversion for this caller.', ID_OF_YOURS),
  TRANSACTION_NOT_FOUND: guide(
    'The transaction is not known, on the chain or here.',
    'Check the hash and the chain; a new transaction may need some seconds.',
  ),
  PRODUCT_NOT_READ: guide(
    'The price of the product is not known from its page.',
    'Read the page by POST /mcp/step2 and send the product as it was answered there.',
  ),
  PRICE_CHANGED: guide(
    'The price is not the one that was quoted, or the quote is too old.',
    'Ask for the price again and show it to the person before ordering.',
  ),
  CHAIN_EXISTS: guide(
    'The wallet has an address on that chain already.',
    'Use that address: a wallet has one on each chain.',
  ),
  TOKEN_ALREADY_EXISTS: guide('The token has been imported already.', 'Nothing to do.'),
  ORIGINAL_NOT_FOUND: guide(
    'There is no such payment to be refunded.',
    'Check the reference. Despite its status the answer is final: do not repeat it.',
  ),
  ALREADY_REFUNDED: guide(
    'The payment was refunded before.',
    'Nothing to do. Despite its status the answer is final: do not repeat it.',
  ),
  DISBURSEMENT_FAILED: guide(
    'The transfer to the exchange was refused; the money is back in the wallet.',
    'Read the job: it says why.',
  ),
  DAILY_CONVERSION_FAILED: guide(
    'Our books and those of the provider differ, so the run was not begun.',
    'An operator has to resolve the difference first.',
  ),
  JOB_EXECUTION_FAILED: guide(
    'The conversion is not in a state for this step, or the step failed.',
    'Read the job: its status and reason say what is next.',
  ),
  AMOUNT_MISMATCH: guide(
    'The amount is not the one that is asked for.',
    'Send the amount that details names.',
  ),
  CURRENCY_MISMATCH: guide(
    'The currencies do not fit: that of the amount is not that of the wallet, or a conversion is of a currency to itself.',
    'Send the currency of the wallet, or convert the money first.',
  ),
  SAME_WALLET: guide(
    'The payer and the receiver are the same wallet.',
    'Name another wallet as the receiver.',
  ),
  RAIL_NOT_AVAILABLE: guide(
    'The rail does not carry that payment: by its currency, country or amount, or because it is switched off.',
    'Use a rail that details.available names.',
  ),
  METHOD_NOT_AVAILABLE: guide(
    'That method of payment is not offered here.',
    'Use a method that details.available names.',
  ),
  POLICY_DENIED: guide(
    'A rule of the client or the operator does not allow the operation.',
    'details names the rule and what it asks for; an admin of the client can change a rule of the client.',
  ),
  QUOTE_EXPIRED: guide('The quote is too old.', 'Ask for a new quote, and use it in time.'),
  QUOTE_USED: guide(
    'The quote was used before; it is good for one operation.',
    'Ask for a new quote for another operation.',
  ),
  QUOTE_MISMATCH: guide(
    'The request is not about what was quoted.',
    'Send what the quote names, or ask for a quote of what is wanted.',
  ),
  DUPLICATE_RECIPIENT: guide(
    'There is a recipient with these account details already.',
    'Use the recipient that details.id names.',
  ),
  RECIPIENT_UNAVAILABLE: guide(
    'The recipient cannot be paid now: archived, blocked, or changed too recently.',
    'Read the recipient: its status says why, and until when.',
  ),
  REFUND_EXCEEDS_PAID: guide(
    'All refunds together would be more than was paid.',
    'Refund at most what details.refundable names.',
  ),
  REFUND_NOT_POSSIBLE: guide(
    'The payment cannot be refunded by this way.',
    'Read the payment: its status and rail say what is possible.',
  ),
  REFUND_WINDOW_OVER: guide(
    'The payment is too old to be refunded.',
    'Pay the money out another way.',
  ),
} satisfies Partial<Record<Code, Guide>>;
