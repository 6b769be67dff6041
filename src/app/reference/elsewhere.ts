import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

type Meanings = Vocabulary['meanings'];

/** The same meaning of a field in several places: named shapes, and operations. */
const inAll = (name: string, meaning: string, places: readonly string[]): Meanings =>
  Object.fromEntries(places.map((place) => [`${place}.${name}`, meaning]));

const MAILED = 'Of the link in the mail';
const LINE_HOLDS = 'What this line sets aside. Below zero it frees some';
const SHOPPERS = ['PurchaseRecipient', 'PurchaseRecipientInput', 'SeenPurchaseRecipient'];

/** What a name means in the places where it is another thing than elsewhere. */
export const ELSEWHERE: Meanings = {
  ...inAll('held', LINE_HOLDS, ['StatementLine', 'WalletEntryEventData', 'DryRun']),
  'PolicyBacktest.held': 'How many operations it would have held',
  'DryRun.limit': 'The most that is allowed',
  'TrustLine.limit': 'The most that the line takes',
  ...inAll('token', 'Which token', ['CrosschainTransfer', 'WalletMovement']),
  'crosschain.initiate.token': 'Which token',
  ...inAll('token', MAILED, [
    ...['users.acceptTerms', 'users.confirm', 'users.confirmAddress', 'users.confirmChange'],
    'password.reset',
  ]),
  'twoFactor.enable.token': 'Six digits of the authenticator app',
  ...inAll('token', 'A code of the authenticator app or a backup code', [
    'twoFactor.disable',
    'twoFactor.verifyLogIn',
  ]),
  ...inAll('token', 'For the page of the identity provider', [
    'verification.createToken',
    'verification.createCompanyToken',
  ]),
  'console.completeSignIn.code': 'A code of the authenticator app, of the mail or a backup code',
  'exchangeWallets.listNetworks.code': 'Of the network, as the exchange has it',
  ...inAll('name', 'What the person is called', [
    ...['InvoiceCustomer', 'InvoiceCustomerInput', 'PaymentCounterparty', ...SHOPPERS],
  ]),
  ...inAll('name', 'Whose account it is', [
    ...['Recipient', 'WithdrawalRecipient', 'recipients.create', 'recipients.update'],
  ]),
  'RewardsPointsEventData.action': 'What the points are for',
  'SavedExchangeWallet.action': 'Whether it was added or changed',
  ...inAll('metadata', 'What the link flow says beside the token, as it came', [
    'bankLink.exchangeToken',
    'bankLink.linkAccount',
  ]),
  'bankLink.completePayment.payment_id': 'By which the payment is known where it is made',
  ...inAll('address', 'Where the person lives', [...SHOPPERS]),
  ...inAll('note', 'For the other side, in words', [
    ...['SplitPart', 'WalletHold', 'WalletTransfer', 'WalletTransferPart', 'Withdrawal'],
    ...['WithdrawalEventData', 'walletTransfers.send', 'walletHolds.place'],
  ]),
  'partnerCustomers.getMode.mode': 'Which side serves it',
  ...inAll('from', 'The currency that is given', ['FxQuote', 'fx.quote']),
  ...inAll('to', 'The currency that is asked for', ['FxQuote', 'fx.quote']),
  ...inAll('from', 'The wallet that pays', ['WalletHold', 'WalletTransfer']),
  ...inAll('to', 'Who gets it', [
    ...['SplitPart', 'WalletHold', 'WalletTransferPart', 'walletHolds.place'],
  ]),
  'partnerCustomers.syncStatus.from': 'The status before',
  'partnerCustomers.syncStatus.to': 'The status since',
  'crosschain.initiate.to': 'Who gets it, on that chain',
  ...inAll('url', 'Where the events go', [
    ...['LeftByUser', 'webhookEndpoints.create', 'webhookEndpoints.update'],
  ]),
  ...inAll('recipient', 'Who is paid', ['Withdrawal', 'WithdrawalEventData', 'policies.simulate']),
  ...inAll('cause', 'Why it was sent', ['SentWebhook', 'WebhookAttempt']),
  'AddressVerification.state': 'A part of the country',
  ...inAll('method', 'How the person has logged in', [
    'ExternalAuth',
    'Session',
    'SessionEventData',
  ]),
  ...inAll('method', 'Of HTTP', ['RequestLog', 'requestLogs.list']),
  'mcp.call.method': 'What is called, by its name',
};
