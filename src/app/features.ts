import { createAdmins } from '#features/accounts/admins/admins.ts';
import { createApprovals } from '#features/accounts/approvals/approvals.ts';
import { createClients, verifyCompany } from '#features/accounts/clients/clients.ts';
import { createExternalLogin } from '#features/accounts/external-login/external-login.ts';
import { createInstances } from '#features/accounts/instances/instances.ts';
import { createKeys } from '#features/accounts/keys/keys.ts';
import { createPartnerCustomers } from '#features/accounts/partner-customers/partner-customers.ts';
import { createPasswordGuesses } from '#features/accounts/password-guesses/password-guesses.ts';
import { createPendingChanges } from '#features/accounts/pending-changes/pending-changes.ts';
import { createPolicies } from '#features/accounts/policies/policies.ts';
import {
  createPspCustomers,
  type PspCustomers,
} from '#features/accounts/psp-customers/psp-customers.ts';
import { createRequestLogs } from '#features/accounts/request-logs/request-logs.ts';
import { createRewards } from '#features/accounts/rewards/rewards.ts';
import { createSecurityNotices } from '#features/accounts/security-notices/security-notices.ts';
import { createSessions } from '#features/accounts/sessions/sessions.ts';
import { createSignIn } from '#features/accounts/sign-in/sign-in.ts';
import { createStepUp } from '#features/accounts/step-up/step-up.ts';
import { createTwoFactor } from '#features/accounts/two-factor/two-factor.ts';
import { activate, createUsers } from '#features/accounts/users/users.ts';
import {
  createVerification,
  verifiedNameOf,
} from '#features/accounts/verification/verification.ts';
import { createIssuedCards } from '#features/banking/issued-cards/issued-cards.ts';
import { createRecipients } from '#features/banking/recipients/recipients.ts';
import { createWalletHolds } from '#features/banking/wallet-holds/wallet-holds.ts';
import { createWalletTransfers } from '#features/banking/wallet-transfers/wallet-transfers.ts';
import { createWithdrawals, isRecipientInUse } from '#features/banking/withdrawals/withdrawals.ts';
import { createCrosschain } from '#features/chain-wallets/crosschain/crosschain.ts';
import {
  createCryptoWallets,
  openWalletOnApproval,
  userSigners,
} from '#features/chain-wallets/crypto-wallets/crypto-wallets.ts';
import { createNetworks } from '#features/chain-wallets/networks/networks.ts';
import { createOnchain } from '#features/chain-wallets/onchain/onchain.ts';
import { createTokens } from '#features/chain-wallets/tokens/tokens.ts';
import { createWalletProofs } from '#features/chain-wallets/wallet-proofs/wallet-proofs.ts';
import {
  beginHeld,
  createWalletSpending,
} from '#features/chain-wallets/wallet-spending/wallet-spending.ts';
import { createAgent } from '#features/commerce/agent/agent.ts';
import { createInvoices } from '#features/commerce/invoices/invoices.ts';
import { createMarketplace } from '#features/commerce/marketplace/marketplace.ts';
import { createMcpServer, createTools } from '#features/commerce/mcp-server/mcp-server.ts';
import { createPurchases } from '#features/commerce/purchases/purchases.ts';
import { createBankLink } from '#features/fiat/bank-link/bank-link.ts';
import { type CardMoney, createCardMoney, createCards } from '#features/fiat/cards/cards.ts';
import { createFeeSettings } from '#features/fiat/fee-settings/fee-settings.ts';
import { createFees } from '#features/fiat/fees/fees.ts';
import {
  createFiatWallets,
  type FiatWalletDeps,
  openFirstWallet,
} from '#features/fiat/fiat-wallets/fiat-wallets.ts';
import { createFx } from '#features/fiat/fx/fx.ts';
import { createPayouts } from '#features/fiat/payouts/payouts.ts';
import { createActivity } from '#features/messaging/activity/activity.ts';
import { createEvents } from '#features/messaging/events/events.ts';
import { createFiles } from '#features/messaging/files/files.ts';
import { createMessageReports } from '#features/messaging/message-reports/message-reports.ts';
import { createMessages } from '#features/messaging/messages/messages.ts';
import { createPayments } from '#features/messaging/payments/payments.ts';
import { createWebhooks } from '#features/messaging/webhooks/webhooks.ts';
import { createAdjustments } from '#features/operator/adjustments/adjustments.ts';
import { createBackoffice } from '#features/operator/backoffice/backoffice.ts';
import { createConsole } from '#features/operator/console/console.ts';
import { createLedgerCheck } from '#features/operator/ledger-check/ledger-check.ts';
import { createReconciliation } from '#features/operator/reconciliation/reconciliation.ts';
import { createRetention } from '#features/operator/retention/retention.ts';
import { createSuspensions } from '#features/operator/suspensions/suspensions.ts';
import { createCardano } from '#features/ramps/cardano/cardano.ts';
import { createConversions } from '#features/ramps/conversions/conversions.ts';
import { createExchangeWallets } from '#features/ramps/exchange-wallets/exchange-wallets.ts';
import { createIdrToken, payoutAccountOf } from '#features/ramps/idr-token/idr-token.ts';
import { createXrpl } from '#features/ramps/xrpl/xrpl.ts';
import { createAttempts } from '#kernel/access/attempts.ts';
import type { Db } from '#kernel/db/db.ts';
import { catalogueOf } from '#kernel/events/catalogue.ts';
import { type Composition, composeFeatures, type Feature } from '#kernel/feature.ts';
import { createPerform } from '#kernel/http/answer/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { lazy } from '#kernel/lazy.ts';
import { createMessageQuotas } from '#kernel/quota/message-quotas.ts';
import { createLoginGuards, type LoginGuards } from './login-guards.ts';
import { deskSources } from './operate/desk-sources.ts';
import { versionOf } from './operate/version.ts';
import type { Providers } from './providers.ts';

/** Everything the features bring along. */
export interface Features extends Composition {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
}

/** The composition of all features, and `more`: each is handed what it needs and nothing else. */
export function createFeatures(
  kernel: Kernel,
  providers: Providers,
  more: readonly Feature[] = [],
): Features {
  const attempts = createAttempts(kernel);
  const messageQuotas = createMessageQuotas(kernel.config, kernel.quotas);
  const messages = createMessages({ ...kernel, ...providers, messageQuotas });
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const notices = createSecurityNotices({ ...kernel, messages });
  const pspCustomers = createPspCustomers({ ...kernel, pspA: providers.pspA });
  const guards = createLoginGuards(kernel, { attempts, messages, guesses, notices });
  const access = { ...kernel, ...guards };
  const { fx, cards: network } = providers;
  const cardMoney = createCardMoney({ ...kernel, attempts, fx, network });
  const payouts = createPayouts({ ...kernel, ...providers });
  const catalogue = lazy(() => catalogueOf(composition.events));
  const sources = deskSources(kernel, () => composition);
  const routes = () => composition.routes;
  const tools = createTools(createPerform(kernel, routes), routes);
  const approvals = createApprovals({ ...kernel, subjects: () => composition.approvals });
  const composition: Composition = composeFeatures([
    ...accountFeatures(providers, access, pspCustomers),
    approvals,
    guesses,
    notices,
    pspCustomers,
    ...chainFeatures(kernel, providers, { notices, payments: () => composition.payments }),
    ...fiatFeatures(kernel, providers, { cardMoney, payouts, holds: () => composition.holds }),
    ...rampFeatures(kernel, providers, { cardMoney, payouts }),
    ...bankingFeatures(kernel, providers, { messages, payouts }),
    ...commerceFeatures(kernel, providers, { messages, tools }),
    createEvents({ ...kernel, types: () => composition.events }),
    createWebhooks({ ...kernel, messages, catalogue, freshProof: guards.freshProof }),
    createPayments({ ...kernel, ...sources, objects: () => composition.payments }),
    createActivity(kernel),
    messages,
    createFiles({ ...kernel, uses: () => composition.fileUses }),
    createMessageReports({ ...kernel, ...providers }),
    createConsole({ ...access, version: versionOf(kernel.config).version }),
    createBackoffice({ ...kernel, ...sources }),
    createSuspensions({ ...access, approvals }),
    createAdjustments({ ...kernel, messages }),
    createReconciliation({ ...kernel, rails: () => composition.rails }),
    createLedgerCheck({ ...kernel, holds: () => composition.holds }),
    createRetention(kernel),
    ...more,
  ]);
  return { ...composition, afterUser: openFirstWallet };
}

/** Who is who, and how they come in. */
function accountFeatures(
  { externalLogin, fx, identity, partner }: Providers,
  access: Kernel & LoginGuards,
  pspCustomers: Feature & PspCustomers,
): Feature[] {
  const accounts = { ...access, pspCustomers };
  return [
    createKeys(access),
    createClients(accounts),
    createUsers({ ...accounts, fx }),
    createAdmins(accounts),
    createInstances(),
    createSessions(access),
    createRequestLogs(access),
    createSignIn(access),
    createTwoFactor(access),
    createExternalLogin({ ...access, external: externalLogin, afterUser: openFirstWallet }),
    createPendingChanges(access),
    createVerification({
      ...access,
      identity,
      onKyc: pspCustomers.syncKyc,
      onCompany: verifyCompany,
      async onApproved(tx, user_id) {
        await activate(tx, user_id);
        await openWalletOnApproval(tx, user_id);
      },
    }),
    createPartnerCustomers({ ...access, partner }),
    createRewards(access),
    createPolicies({ ...access, fx }),
    createStepUp(access),
  ];
}

/** Wallets on the EVM chains, and what goes from them. */
function chainFeatures(
  kernel: Kernel,
  providers: Providers,
  {
    notices,
    payments,
  }: {
    readonly notices: ReturnType<typeof createSecurityNotices>;
    readonly payments: () => Feature['payments'] & object;
  },
): Feature[] {
  const { evm, cctp, fx, cardano, xrpl } = providers;
  const chains = { ...kernel, evm, fx };
  const signersOf = userSigners(kernel.db, kernel.vault);
  return [
    createCryptoWallets({ ...chains, beginHeld }),
    createTokens(chains),
    createOnchain(chains),
    createCrosschain({ ...chains, cctp, signersOf }),
    createWalletProofs({ ...kernel, ...providers, notices }),
    createWalletSpending(),
    createNetworks({
      ...chains,
      payments,
      chains: [evm, cardano, xrpl].flatMap(({ members }) => members),
    }),
  ];
}

/** Features that move money for others as well. */
interface FiatParts {
  readonly cardMoney: CardMoney;
  readonly payouts: ReturnType<typeof createPayouts>;
}

/** Money in currencies. */
function fiatFeatures(
  kernel: Kernel,
  { bankLink, fx }: Providers,
  { cardMoney, payouts, holds }: FiatParts & Pick<FiatWalletDeps, 'holds'>,
): Feature[] {
  return [
    createFiatWallets({ ...kernel, holds }),
    createCards(kernel, cardMoney),
    createBankLink({ ...kernel, bankLink, verifiedNameOf }),
    createFx({ ...kernel, fx }),
    createFeeSettings(kernel),
    createFees(),
    payouts,
  ];
}

interface BankingParts {
  readonly messages: ReturnType<typeof createMessages>;
}

/** Money between people, and out to banks. */
function bankingFeatures(
  kernel: Kernel,
  providers: Providers,
  { messages, payouts }: Pick<FiatParts, 'payouts'> & BankingParts,
): Feature[] {
  return [
    createIssuedCards({ ...kernel, ...providers, messages }),
    createRecipients({ ...kernel, ...providers, isInUse: isRecipientInUse }),
    createWithdrawals({ ...kernel, ...providers, payouts }),
    createWalletTransfers({ ...kernel, ...providers, messages }),
    createWalletHolds({ ...kernel, ...providers }),
  ];
}

/** Between money in currencies and tokens on chains. */
function rampFeatures(
  kernel: Kernel,
  providers: Providers,
  { cardMoney, payouts }: FiatParts,
): Feature[] {
  const { cardano, evm, exchange, fx, gateway, tokenVendor } = providers;
  const idrToken = createIdrToken({ ...kernel, evm, fx, gateway, tokenVendor, payouts });
  return [
    idrToken,
    createExchangeWallets({ ...kernel, evm }),
    createConversions({
      ...kernel,
      gateway,
      exchange,
      evm,
      fx,
      payouts,
      isExchangeReady: providers.isConfigured('exchange'),
      payments: idrToken.paid,
    }),
    createCardano({ ...kernel, fx, cardano, payouts, payoutAccountOf, cards: cardMoney.pulls }),
    createXrpl({ ...kernel, ...providers, payouts }),
  ];
}

/** Goods, what merchants ask for, and the agent. */
function commerceFeatures(
  kernel: Kernel,
  providers: Providers,
  parts: Pick<BankingParts, 'messages'> & { readonly tools: ReturnType<typeof createTools> },
): Feature[] {
  const given = { ...kernel, ...providers, ...parts };
  return [
    createPurchases(given),
    createInvoices(given),
    createMarketplace(given),
    createAgent({ ...given, isModelConfigured: providers.isConfigured('llm') }),
    createMcpServer(given),
  ];
}
