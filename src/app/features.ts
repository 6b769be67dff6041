import { createActivity } from '#features/activity/activity.ts';
import { createAdjustments } from '#features/adjustments/adjustments.ts';
import { createAdmins } from '#features/admins/admins.ts';
import { createAgent } from '#features/agent/agent.ts';
import { createBankLink } from '#features/bank-link/bank-link.ts';
import { createCardano } from '#features/cardano/cardano.ts';
import { createCardMoney, createCards } from '#features/cards/cards.ts';
import { createClients, verifyCompany } from '#features/clients/clients.ts';
import { createConsole } from '#features/console/console.ts';
import { createConversions } from '#features/conversions/conversions.ts';
import { createCrosschain } from '#features/crosschain/crosschain.ts';
import {
  createCryptoWallets,
  openWalletOnApproval,
  userSigners,
} from '#features/crypto-wallets/crypto-wallets.ts';
import { createDesk } from '#features/desk/desk.ts';
import { createEvents } from '#features/events/events.ts';
import { createExchangeWallets } from '#features/exchange-wallets/exchange-wallets.ts';
import { createExternalLogin } from '#features/external-login/external-login.ts';
import { createFeeSettings } from '#features/fee-settings/fee-settings.ts';
import { createFiatWallets, openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { createFx } from '#features/fx/fx.ts';
import { createIdrToken, payoutAccountOf } from '#features/idr-token/idr-token.ts';
import { createInstances } from '#features/instances/instances.ts';
import { createKeys } from '#features/keys/keys.ts';
import { createLedgerCheck } from '#features/ledger-check/ledger-check.ts';
import { createMarketplace } from '#features/marketplace/marketplace.ts';
import { type AskOwn, createMcpServer } from '#features/mcp-server/mcp-server.ts';
import { createMessages } from '#features/messages/messages.ts';
import { createOnchain } from '#features/onchain/onchain.ts';
import { createPartnerCustomers } from '#features/partner-customers/partner-customers.ts';
import { createPasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import { createPayouts } from '#features/payouts/payouts.ts';
import { createPendingChanges } from '#features/pending-changes/pending-changes.ts';
import { createPspCustomers, type PspCustomers } from '#features/psp-customers/psp-customers.ts';
import { createPurchases } from '#features/purchases/purchases.ts';
import { createReconciliation } from '#features/reconciliation/reconciliation.ts';
import { createRetention } from '#features/retention/retention.ts';
import { createRewards } from '#features/rewards/rewards.ts';
import { createSecurityNotices } from '#features/security-notices/security-notices.ts';
import { createSessions } from '#features/sessions/sessions.ts';
import { createSignIn } from '#features/sign-in/sign-in.ts';
import { createStops } from '#features/stops/stops.ts';
import { createTokens } from '#features/tokens/tokens.ts';
import { createTwoFactor } from '#features/two-factor/two-factor.ts';
import { activate, createUsers } from '#features/users/users.ts';
import { createVerification } from '#features/verification/verification.ts';
import { createWalletProofs } from '#features/wallet-proofs/wallet-proofs.ts';
import { createWalletSpending } from '#features/wallet-spending/wallet-spending.ts';
import { createWebhooks } from '#features/webhooks/webhooks.ts';
import { createXrpl } from '#features/xrpl/xrpl.ts';
import { type Attempts, createAttempts } from '#kernel/access/attempts.ts';
import { createMessageBudgets } from '#kernel/access/message-budgets.ts';
import { createSignUps, type SignUps } from '#kernel/access/sign-ups.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Catalogue, catalogueOf } from '#kernel/events/catalogue.ts';
import { type Composition, composeFeatures, type Feature } from '#kernel/feature.ts';
import { createPerform } from '#kernel/http/perform.ts';
import type { Kernel } from '#kernel/kernel.ts';
import { deskSources } from './desk-sources.ts';
import { createLoginGuards, type LoginGuards } from './login-guards.ts';
import type { Providers } from './providers.ts';
import { versionOf } from './version.ts';

/** Everything the features bring along. */
export interface Features extends Composition {
  /** What every new user gets, in the transaction that makes them. */
  afterUser(tx: Db, user: { user_id: number; client_id: number }): Promise<void>;
}

/** The composition of all features, and `more`: each is handed what it needs and nothing else. */
export function createFeatures(
  kernel: Kernel,
  providers: Providers,
  askOwn: AskOwn,
  more: readonly Feature[] = [],
): Features {
  const { config, budgets } = kernel;
  const attempts = createAttempts(kernel);
  const messageBudgets = createMessageBudgets(config, budgets);
  const messages = createMessages({ ...kernel, ...providers, messageBudgets });
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const notices = createSecurityNotices({ ...kernel, messages });
  const pspCustomers = createPspCustomers({ ...kernel, pspA: providers.pspA });
  const guards = createLoginGuards(kernel, { attempts, messages, guesses, notices });
  const access = { ...kernel, ...guards, signUps: createSignUps(config, budgets) };
  let known: Catalogue | undefined;
  const catalogue = () => {
    known ??= catalogueOf(composition.events);
    return known;
  };
  const composition: Composition = composeFeatures([
    createActivity(kernel),
    messages,
    guesses,
    notices,
    pspCustomers,
    createRetention(kernel),
    createLedgerCheck(kernel),
    createWebhooks({ ...kernel, messages, catalogue, freshProof: guards.freshProof }),
    createEvents({ ...kernel, types: () => composition.events }),
    createReconciliation({ ...kernel, rails: () => composition.rails }),
    createAdjustments({ ...kernel, messages }),
    createDesk({ ...kernel, ...deskSources(kernel, () => composition) }),
    createMcpServer({ ...kernel, askOwn, routes: () => composition.routes }),
    ...moneyFeatures(kernel, providers, attempts),
    ...chainFeatures(kernel, providers),
    createWalletProofs({ ...kernel, ...providers, notices }),
    createMarketplace({ ...kernel, ...providers }),
    createPurchases({ ...kernel, ...providers, messages }),
    ...accountFeatures(providers, access, pspCustomers),
    createAgent({
      ...{ ...kernel, ...providers },
      isModelConfigured: providers.isConfigured('llm'),
      perform: createPerform(kernel, () => composition.routes),
    }),
    ...more,
  ]);
  return { ...composition, afterUser: openFirstWallet };
}

/** Money in currencies, and what is bought and sold with it. */
function moneyFeatures(kernel: Kernel, providers: Providers, attempts: Attempts): Feature[] {
  const { cardano, evm, exchange, fx, gateway } = providers;
  const cardMoney = createCardMoney({ ...kernel, attempts, network: providers.cards });
  const payouts = createPayouts({ ...kernel, gateway });
  const idrToken = createIdrToken({ ...kernel, evm, gateway, payouts });
  return [
    payouts,
    createCards(kernel, cardMoney),
    createBankLink({ ...kernel, bankLink: providers.bankLink }),
    createFiatWallets(kernel),
    createFeeSettings(kernel),
    createFx({ fx }),
    createExchangeWallets({ ...kernel, evm }),
    createConversions({
      ...{ ...kernel, gateway, exchange, evm, fx, payouts },
      isExchangeReady: providers.isConfigured('exchange'),
      payments: idrToken.paid,
    }),
    idrToken,
    createCardano({
      ...{ ...kernel, fx, cardano, payouts, payoutAccountOf },
      cards: cardMoney.pulls,
    }),
    createXrpl({ ...kernel, ...providers, payouts }),
  ];
}

/** Wallets on the EVM chains, and what goes from them. */
function chainFeatures(kernel: Kernel, { evm, cctp, fx }: Providers): Feature[] {
  const chains = { ...kernel, evm, fx };
  const signersOf = userSigners(kernel.db, kernel.vault);
  return [
    createCryptoWallets(chains),
    createTokens(chains),
    createCrosschain({ ...kernel, evm, cctp, signersOf }),
    createOnchain(chains),
    createWalletSpending(),
  ];
}

/** Who is who, and how they come in. */
function accountFeatures(
  { externalLogin, fx, identity, partner }: Providers,
  access: Kernel & LoginGuards & { readonly signUps: SignUps },
  pspCustomers: Feature & PspCustomers,
): Feature[] {
  const accounts = { ...access, pspCustomers };
  return [
    createKeys(access),
    createSignIn(access),
    createTwoFactor(access),
    createPendingChanges(access),
    createSessions(access),
    createConsole({ ...access, version: versionOf(access.config).version }),
    createRewards(access),
    createClients(accounts),
    createInstances(),
    createUsers({ ...accounts, fx }),
    createAdmins(accounts),
    createStops(access),
    createVerification({
      ...{ ...access, identity },
      onKyc: pspCustomers.syncKyc,
      onCompany: verifyCompany,
      async onApproved(tx, user_id) {
        await activate(tx, user_id);
        await openWalletOnApproval(tx, user_id);
      },
    }),
    createPartnerCustomers({ ...access, partner }),
    createExternalLogin({ ...access, external: externalLogin, afterUser: openFirstWallet }),
  ];
}
