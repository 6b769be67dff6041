import { createActivity } from '#features/activity/activity.ts';
import { createAdmins } from '#features/admins/admins.ts';
import { createBankLink } from '#features/bank-link/bank-link.ts';
import { createCardano, hearPayout as hearCardanoPayout } from '#features/cardano/cardano.ts';
import { createCardMoney, createCards } from '#features/cards/cards.ts';
import { createClients, verifyCompany } from '#features/clients/clients.ts';
import { createConversions, owedToBanks } from '#features/conversions/conversions.ts';
import { createCrosschain } from '#features/crosschain/crosschain.ts';
import {
  createCryptoWallets,
  openWalletOnApproval,
  userSigners,
} from '#features/crypto-wallets/crypto-wallets.ts';
import { createEvents } from '#features/events/events.ts';
import { createExchangeWallets } from '#features/exchange-wallets/exchange-wallets.ts';
import { createExternalLogin } from '#features/external-login/external-login.ts';
import { createFeeSettings } from '#features/fee-settings/fee-settings.ts';
import { createFiatWallets, openFirstWallet } from '#features/fiat-wallets/fiat-wallets.ts';
import { createFx } from '#features/fx/fx.ts';
import {
  createIdrToken,
  paymentsUnderWay,
  payoutAccountOf,
} from '#features/idr-token/idr-token.ts';
import { createInstances } from '#features/instances/instances.ts';
import { createKeys } from '#features/keys/keys.ts';
import { createMessages } from '#features/messages/messages.ts';
import { createOnchain } from '#features/onchain/onchain.ts';
import { createPartnerCustomers } from '#features/partner-customers/partner-customers.ts';
import { createPasswordGuesses } from '#features/password-guesses/password-guesses.ts';
import { createPendingChanges } from '#features/pending-changes/pending-changes.ts';
import { createPspCustomers, type PspCustomers } from '#features/psp-customers/psp-customers.ts';
import { createReconciliation } from '#features/reconciliation/reconciliation.ts';
import { createRetention } from '#features/retention/retention.ts';
import { createRewards } from '#features/rewards/rewards.ts';
import { createSecurityNotices } from '#features/security-notices/security-notices.ts';
import { createSessions } from '#features/sessions/sessions.ts';
import { createSignIn } from '#features/sign-in/sign-in.ts';
import { createTokens } from '#features/tokens/tokens.ts';
import { createTwoFactor } from '#features/two-factor/two-factor.ts';
import { activate, createUsers } from '#features/users/users.ts';
import { createVerification } from '#features/verification/verification.ts';
import { createWalletSpending } from '#features/wallet-spending/wallet-spending.ts';
import { createXrpl, hearPayout as hearXrplPayout } from '#features/xrpl/xrpl.ts';
import { type Attempts, createAttempts } from '#kernel/access/attempts.ts';
import { createSendings } from '#kernel/access/sending.ts';
import { createSignUps, type SignUps } from '#kernel/access/sign-ups.ts';
import type { Db } from '#kernel/db/db.ts';
import { type Composition, composeFeatures, type Feature } from '#kernel/feature.ts';
import type { Kernel } from '#kernel/kernel.ts';
import type { Providers } from './providers.ts';
import { createWaysIn, type WaysIn } from './ways-in.ts';

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
  const { config, budgets } = kernel;
  const attempts = createAttempts(kernel);
  const sendings = createSendings(config, budgets);
  const messages = createMessages({ ...kernel, ...providers, sendings });
  const guesses = createPasswordGuesses({ ...kernel, attempts, messages });
  const notices = createSecurityNotices({ ...kernel, messages });
  const pspCustomers = createPspCustomers({ ...kernel, pspA: providers.pspA });
  const waysIn = createWaysIn(kernel, { attempts, messages, guesses, notices });
  const access = { ...kernel, ...waysIn, signUps: createSignUps(config, budgets) };
  const composition: Composition = composeFeatures([
    createActivity(),
    messages,
    guesses,
    notices,
    pspCustomers,
    createRetention(kernel),
    createEvents({ ...kernel, types: () => composition.events }),
    createReconciliation({ ...kernel, rails: () => composition.rails }),
    ...moneyFeatures(kernel, providers, attempts),
    ...chainFeatures(kernel, providers),
    ...accountFeatures(providers, access, pspCustomers),
    ...more,
  ]);
  return { ...composition, afterUser: openFirstWallet };
}

/** Money in currencies, and what is bought and sold with it. */
function moneyFeatures(kernel: Kernel, providers: Providers, attempts: Attempts): Feature[] {
  const { cardano, evm, exchange, fx, gateway } = providers;
  const cardMoney = createCardMoney({ ...kernel, attempts, network: providers.cards });
  return [
    createCards(kernel, cardMoney),
    createBankLink({ ...kernel, bankLink: providers.bankLink }),
    createFiatWallets(kernel),
    createFeeSettings(kernel),
    createFx({ fx }),
    createExchangeWallets(),
    createConversions({
      ...{ ...kernel, gateway, exchange },
      isExchangeReady: providers.isConfigured('exchange'),
      underWay: [
        owedToBanks(['idr-token-redemptions', 'xrpl-payouts', 'cardano-owed']),
        paymentsUnderWay,
      ],
    }),
    createIdrToken({
      ...{ ...kernel, evm, gateway },
      async hearPayout(news) {
        await hearCardanoPayout(kernel, news);
        await hearXrplPayout(kernel, news);
      },
    }),
    createCardano({
      ...{ ...kernel, fx, cardano, gateway, payoutAccountOf },
      cards: cardMoney.pulls,
    }),
    createXrpl({ ...kernel, ...providers }),
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
  access: Kernel & WaysIn & { readonly signUps: SignUps },
  pspCustomers: Feature & PspCustomers,
): Feature[] {
  const accounts = { ...access, pspCustomers };
  return [
    createKeys(access),
    createSignIn(access),
    createTwoFactor(access),
    createPendingChanges(access),
    createSessions(access),
    createRewards(access),
    createClients(accounts),
    createInstances(),
    createUsers({ ...accounts, fx }),
    createAdmins(accounts),
    createVerification({
      ...{ ...access, identity },
      onKyc: pspCustomers.tellKyc,
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
