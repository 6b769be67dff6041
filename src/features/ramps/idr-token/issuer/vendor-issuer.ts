import type { Hash } from 'viem';
import { done, unknown } from '#kernel/effects/outcome.ts';
import type { BankTransfers } from '#providers/gateway/port.ts';
import type { TokenVendor } from '#providers/idrx/port.ts';
import { redeemOf } from '../redemption/store.ts';
import type { IssuerDeps, TokenIssuer } from './issuer.ts';
import { proveMint } from './mint-proof.ts';

/** A vendor issues the token: it sets its price, keeps its fees, and mints as soon as it is paid. */
export const vendorIssuer = (deps: IssuerDeps, vendor: TokenVendor): TokenIssuer => ({
  requestPayment: (mint, request) =>
    vendor.sell(request, {
      chain: mint.chain_id,
      address: mint.wallet_address,
      units: mint.amount_token,
    }),
  isPrice: ({ amount_idr }, units) => units >= amount_idr,
  ownFee: () => 0n,
  async mint(mint) {
    const { reference_id, gateway_payment_id } = mint;
    const found = await vendor.findMint(reference_id, gateway_payment_id ?? undefined);
    if (found.kind !== 'done') return unknown('The gateway does not tell its mint');
    if (found.value === undefined) return unknown('The gateway has not minted yet');
    if ('failure' in found.value) return done({ failure: found.value.failure });
    return proveMint(deps, mint, found.value.hash as Hash);
  },
  findMint: async () => done(undefined),
  isMinting: async () => true,
  transfers: redemptions(deps, vendor),
  mintsAnyAmount: false,
  takenOf: (owed) => owed,
  backedOn: [],
});

const redemptions = ({ db }: IssuerDeps, vendor: TokenVendor): BankTransfers => ({
  async createPayout(request) {
    const redeem = await redeemOf(db, request.reference);
    return vendor.redeem(request, {
      chain: redeem.chain_id,
      hash: redeem.burn_tx_hash,
      address: redeem.wallet_address,
      units: redeem.amount_token,
    });
  },
  async findPayout(reference) {
    const { burn_tx_hash } = await redeemOf(db, reference);
    return vendor.findRedemption(reference, burn_tx_hash);
  },
});
