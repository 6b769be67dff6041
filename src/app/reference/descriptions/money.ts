import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

/** Fiat wallets, cards, banks, rupiah tokens and conversions. */
export const OF_MONEY: Vocabulary['descriptions'] = {
  'fiatWallets.open':
    'Users open wallets for themselves; an admin may do it for a person of the own client. There is one wallet for each currency, so a repetition answers the same wallet. `wallet.created` follows.',
  'fiatWallets.list':
    'Users see their own wallets; an admin sees those of the people of the own client. `balance` includes what is set aside for payments that have begun.',
  'fiatWallets.listTransactions':
    'The owner reads it, and an admin of the owner’s client. Each line has the balance after it, so the lines add up to the balance of the wallet.',
  'fiatWallets.freeze':
    'An admin freezes wallets of the own client’s people, the operator all. Money comes in as before; payments out of it answer 403 `WALLET_FROZEN` and move nothing. What was set aside before is still paid. `wallet.frozen` follows.',
  'fiatWallets.unfreeze':
    'An admin releases what an admin of the client has frozen, the operator everything. The whole balance can be spent again. `wallet.unfrozen` follows.',
  'bankLink.createToken':
    'The owner of the wallet calls it and hands the token to the bank link’s flow in the app or page. The flow answers a public token, which `POST /banklink/item/public-token/exchange` takes.',
  'bankLink.exchangeToken':
    'It is an intermediate step of the contract: it records nothing and asks the provider nothing. `POST /banklink/item/public-token/exchange` makes the connection.',
  'bankLink.linkAccount':
    'The owner of the wallet calls it once the person has finished the bank’s flow. A wallet with a connection answers `ALREADY_CONNECTED`. `bank_connection.linked` follows; then `POST /banklink/topup` can take money from the account.',
  'bankLink.unlink':
    'The owner of the wallet calls it. A wallet without a connection is answered 200 as well. Transfers that have begun are finished. `bank_connection.unlinked` follows.',
  'bankLink.topUp':
    'The owner of the wallet calls it. The bank account pays: the money is taken by a direct debit, and the bank can return it later. The wallet has it once the debit has settled (in mock mode at once), and `wallet.credited` follows. A returned debit is taken back from the wallet, and what the wallet no longer has is owed.',
  'bankLink.getTopUp':
    'The owner of the wallet reads it. A debit that the bank returns later becomes `RETURNED`.',
  'fx.quote':
    'Any API key may call it. It shows a price of now without a promise: an operation uses the rate of its own moment.',
  'fx.listRates': 'Any API key may call it. The rates are those that conversions would use now.',
  'cards.validate':
    'The caller needs a USD wallet. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.',
  'cards.validateForCurrency':
    'The caller needs a wallet of that currency. The card network checks the card and charges nothing. A declined card is 400 `CARD_DECLINED` with the reason in `details`.',
  'cards.topUp':
    'The holder of the card pays `amount`. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s USD wallet has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it, and `GET /card-checkout/card/reference/{reference_id}` shows its end.',
  'cards.topUpCurrency':
    'The holder of the card pays `amount` in that currency. The platform keeps the fee of `GET /card-checkout/card/fee`, and the caller’s wallet of the currency has the rest at once. `payment.succeeded` and `wallet.credited` follow. After a 503 the payment may have been made: `details.reference_id` names it.',
  'cards.refund':
    'The user who made the checkout calls it, with the same card. The wallet pays the amount less its share of the fee, and the card gets all of it back. One checkout is refunded once. `refund.succeeded` follows.',
  'cards.push':
    'The caller’s wallet of that currency pays, without a fee; the money is set aside first and reaches the card by the card network. `payout.succeeded` follows, or `payout.failed`, and then the wallet has its money back.',
  'cards.getFee': 'Anybody may call it. `POST /card-checkout/card` takes this share of the amount.',
  'cards.writeOffExcess':
    'Only an admin of the operator may call it. The loss is booked as the platform’s own; the user pays nothing. It ends claims on the card network (`card:…`) and on banks that were paid after the money had gone back (`payout:…`).',
  'cards.decideReversal':
    'Only an admin of the operator may call it, after asking the network. Until then the rest of the top-up is neither taken nor refunded. The decision holds until the network has another word for it.',
  'cards.listHistory':
    'The owner of the wallet reads it. A push to a card is shown with the type `REFUND` and the status `PUSH_PROCESSED`.',
  'idrTokens.buy':
    'A user calls it. The answer has `paymentUrl`, where the buyer pays `totalAmount` (the amount and the fee of the method) by QRIS, virtual account or e-wallet until `expiresAt`, 24 hours later. Then the tokens are minted to `walletAddress`: within seconds as a rule, within 24 hours at the most. `idr_mint.minted` and `idr_mint.completed` follow; a purchase without a payment in time becomes `CANCELLED`.',
  'idrTokens.redeem':
    'A user burns the tokens on chain first and names the transaction here. The chain has to show the burn of this token, wallet and amount, and a burn pays out once. The bank account gets the amount less 5,000 IDR (35,000 IDR above 250,000,000, and then in office hours only), within 24 hours. `payout.succeeded` follows.',
  'idrTokens.refund':
    'An admin calls it for the people of the own client, once for each transaction. The user’s IDR wallet gets the amount less the fee of `GET /idrtoken/fees`; minted tokens are burnt first.',
  'idrTokens.addBank':
    'A user registers an own account: `accountName` has to be the user’s registered name. Redemptions and payouts in rupiah go to it. `bank_account.added` follows.',
  'idrTokens.listBanks': 'A user sees the own accounts; removed ones are not listed.',
  'idrTokens.listMints':
    'A user sees the own purchases. `status` takes the words PENDING, PAID, MINTED, SUCCESS and FAILED, and CANCELLED for purchases without a payment within 24 hours: these are not among the FAILED ones.',
  'idrTokens.listRedemptions':
    'A user sees the own redemptions. `status` takes the words PENDING, PROCESSING, COMPLETED and FAILED.',
  'idrTokens.listMethods':
    'Any logged-in user may call it. A fee is in rupiah, or a percentage where `fee_type` says so.',
  'idrTokens.getFees':
    'Any logged-in user may call it. The fee of EWALLET is a percentage of the amount, all others are in rupiah. The block for bridges says that there is none.',
  'idrTokens.listPayments':
    'Only an admin of the operator may call it. Each row is settled by one of its neighbours: assign, refund or mark-refunded.',
  'idrTokens.assignPayment':
    'Only an admin of the operator may call it. The purchase is minted as if its buyer had paid it.',
  'idrTokens.refundPayment':
    'Only an admin of the operator may call it. The buyer’s IDR wallet has the money at once.',
  'idrTokens.markPaymentRefunded':
    'Only an admin of the operator may call it, for example after a transfer by hand. It moves nothing to the payer.',
  'exchangeWallets.save':
    'A user registers an own address; there is one for each network, and a second one replaces the first. Conversions pay out to the primary one. `exchange_wallet.created` or `exchange_wallet.updated` follows.',
  'exchangeWallets.list': 'A user sees the own addresses.',
  'exchangeWallets.listNetworks': 'Any logged-in user may call it.',
  'conversions.start':
    'The owner of the IDR wallet calls it, with 200,000 IDR or more. The rupiah are set aside and paid to the exchange’s account; then they are traded for USDC, which goes to the primary address of `POST /exchange/crypto-wallet/save`. `GET /exchange/conversion/status/{job_id}` shows how far it is; `conversion.completed` or `conversion.failed` follows. A mismatch of the books before the payment is 403 `RECONCILIATION_FAILED` and moves nothing.',
  'conversions.runDaily':
    'An admin calls it for the people of the own client, the operator for everybody. It sets aside the rupiah of each user who has 200,000 IDR or more and a primary address, and has them paid to the exchange. A second run on the same day is 409. `conversion.started` follows for each.',
  'conversions.listPending': 'An admin sees the people of the own client, the operator everybody.',
  'conversions.pollBalance':
    'An admin calls it; it looks at all jobs that wait. Confirmed ones become `TRADING` (`conversion.confirmed`). To an admin of a client `exchange_balance` shows the share of that client’s jobs, all of which is held for them. To the operator `available` is what no conversion has a claim to; while an order is open no USDC are.',
  'conversions.runTrades':
    'An admin calls it. USDC that were bought go to the primary address of each user. An order or withdrawal that the exchange refuses is tried again later. `conversion.traded` and `conversion.completed` follow.',
  'callbacks.receivePayment':
    'The gateway calls it. In mock mode its word counts; out of it the platform looks the payment up at the gateway, whatever the call says.',
  'callbacks.receiveTransfer':
    'The gateway calls it. In mock mode its word counts; out of it the platform looks the transfer up at the gateway, whatever the call says.',
};
