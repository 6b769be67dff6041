import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

const SIGNED = 'The provider’s signature over the bytes; nobody else can send it';
const MEMBER = 'The token of `POST /xusers/login` instead of a user’s';
const AUTHENTICATOR = 'the authenticator app that `POST /2fa/setup` has set up';
const MAIL = 'the link in the mail';

/**
 * What an operation needs that no example can have: somebody's own ids, what is told once, what is in a mail.
 * The demo's user, client, key and wallet are there already (`fields.ts`).
 */
export const ORIGINS: Vocabulary['origins'] = [
  [/^callbacks\.receive(Verification|Bank)$/, SIGNED],
  [/^callbacks\.receiveCard\.transactionIdentifier$/, 'cards.topUp'],
  [/^cards\.\w+\.(reference_id|original_reference)$/, 'cards.topUp'],
  [/^adjustments\.\w+\.adjustment_id$/, 'adjustments.propose'],
  [/^keys\.\w+\.api_key$/, 'keys.create'],
  [/^sessions\.end\.session_id$/, 'sessions.list'],
  [/^instances\.\w+\.instance_id$/, 'instances.create'],
  [/^admins\.removeSecondFactor$/, 'The second factor that is lost: the demo’s user has none'],
  [
    /^console\.\w+$/,
    'A browser at `/console`: its page sends its cookie and says where it asks from',
  ],
  [/^desk\.tryAgain$/, 'What has stalled: `GET /desk/work`'],
  [/^desk\.redrive\.id$/, 'desk.work'],
  [/^auth\.completeLogIn\.two_fa_token$/, AUTHENTICATOR],
  [/^twoFactor\.(enable|disable|verifyLogIn)\.token$/, AUTHENTICATOR],
  [/^twoFactor\.listBackupCodes$/, 'A second factor that is switched on: `POST /2fa/enable`'],
  [/^password\.reset\.token$/, `${MAIL} of \`POST /password/request_reset\``],
  [/^users\.(confirm|confirmAddress|confirmChange)\.token$/, MAIL],
  [/^users\.acceptTerms\.token$/, 'users.getTermsLink'],
  [/^users\.cancelChange\.change_id$/, 'users.listChanges'],
  [/^externalLogin\.(getProfile|getUserProfile)$/, 'externalLogin.link'],
  [
    /^externalLogin\.disconnect$/,
    'Two external log-ins: `POST /extauth/auth/link` and `POST /extauth/auth/link-wallet`',
  ],
  [/^bankLink\.\w+\.access_token$/, 'bankLink.linkAccount'],
  [/^bankLink\.(check|topUp|getAccessToken)\.wallet_id$/, 'bankLink.linkAccount'],
  [/^bankLink\.listAccounts$/, 'bankLink.linkAccount'],
  [/^bankLink\.\w+\.(transfer_id|payment_id)$/, 'bankLink.topUp'],
  [/^bankLink\.getTopUp\.transaction_id$/, 'bankLink.topUp'],
  [/^cards\.writeOffExcess$/, 'A payment that went back twice, as `GET /desk/work` lists it'],
  [
    /^cards\.decideReversal$/,
    'A refunded top-up that the network calls reversed, as `GET /desk/work` lists it',
  ],
  [/^cardano\.walletToWallet\.wallet_to_id$/, 'fiatWallets.open'],
  [/^cardano\.\w+ToBank$/, 'A bank account: `POST /idrtoken/banks/add`'],
  [/^cardano\.\w+\.(user_wallet_address|address)$/, 'a wallet of Cardano’s test network'],
  [
    /^conversions\.start$/,
    'Rupiah in the wallet, and an address: `POST /exchange/crypto-wallet/save`',
  ],
  [/^conversions\.\w+\.job_id$/, 'conversions.start'],
  [/^crosschain\.\w+\.(log_id|nonce)$/, 'crosschain.initiate'],
  [/^cryptoWallets\.((addAddress|delete)\.bw_id|getBalance\.wallet_id)$/, 'cryptoWallets.create'],
  [/^events\.\w+\.event_id$/, 'events.list'],
  [/^exchangeWallets\.delete\.bw_id$/, 'exchangeWallets.save'],
  [/^exchangeWallets\.getPrimary$/, 'An address: `POST /exchange/crypto-wallet/save`'],
  [/^idrTokens\.redeem\.burnTxHash$/, 'a burn of rupiah tokens, sent from one’s own wallet'],
  [/^idrTokens\.\w+\.(bank_id|bankId)$/, 'idrTokens.addBank'],
  [/^idrTokens\.getPurchase\.reference_id$/, 'idrTokens.buy'],
  [/^idrTokens\.getRedemption\.reference_id$/, 'idrTokens.redeem'],
  [/^idrTokens\.\w+\.payment_id$/, 'idrTokens.listPayments'],
  [/^idrTokens\.refund\.transactionId$/, 'idrTokens.listMints'],
  [/^marketplace\.order\.product$/, 'marketplace.search'],
  [/^marketplace\.\w+\.order_id$/, 'marketplace.order'],
  [/^marketplace\.\w+\.payment_id$/, 'marketplace.listPayments'],
  [/^onchain\.send$/, 'Coins in the wallet: the sandbox’s `POST /faucet`'],
  [/^onchain\.(get|record)\.tx_hash$/, 'onchain.send'],
  [/^purchases\.order(OnChain)?$/, 'crosschain.testMint'],
  [/^purchases\.executeOnChain\.order_id$/, 'purchases.orderOnChain'],
  [/^purchases\.\w+\.order_id$/, 'purchases.order'],
  [/^reconciliation\.\w+\.break_id$/, 'reconciliation.listBreaks'],
  [/^rewards\.verifyCode\.otp_code$/, 'the message of `POST /xotp/request`'],
  [/^rewards\.(?!logIn|requestCode|countWaiting)\w+$/, MEMBER],
  [/^sessions\.prove$/, 'A log-in with a password or a second factor'],
  [/^tokens\.import\.asset_issuer$/, 'the address of a token’s contract on that chain'],
  [/^verification\.changeLevel$/, 'verification.createToken'],
  [/^walletProofs\.challenge\.wallet_address$/, 'a wallet whose key you keep'],
  [/^walletProofs\.prove\.challenge_id$/, 'walletProofs.challenge'],
  [/^walletProofs\.remove\.proof_id$/, 'walletProofs.list'],
  [/^xrpl\.getPurchase\.txid$/, 'xrpl.buy'],
  [/^xrpl\.getSale\.txid$/, 'xrpl.sell'],
  [/^webhookEndpoints\.\w+\.endpoint_id$/, 'webhookEndpoints.create'],
  [/^webhookEndpoints\.\w+\.attempt_id$/, 'webhookEndpoints.listAttempts'],
];
