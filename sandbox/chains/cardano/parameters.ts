import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import { integerInput } from '#kernel/http/declare/schema.ts';
import type { Records } from '#sandbox/records.ts';
import type { World } from '#sandbox/simulator.ts';
import { missing } from './answers.ts';
import { epochOf, slotOf } from './blocks.ts';
import { COST_MODELS } from './cost-models.ts';
import type { SimulatedParams } from './ledger-rules.ts';
import { PROVIDER } from './stored.ts';

/** What preprod asks for. */
const PREPROD = {
  min_fee_a: 44,
  min_fee_b: 155_381,
  coins_per_utxo_size: '4310',
  max_tx_size: 16_384,
};
type Changed = Partial<typeof PREPROD>;

export const PARAMS = rulesOf({});

/** As they are since the last change. */
export const paramsNow = async (records: Pick<Records, 'get'>): Promise<SimulatedParams> =>
  rulesOf(await changes(records));

const changes = async (records: Pick<Records, 'get'>): Promise<Changed> =>
  (await records.get<Changed>(PROVIDER, 'parameters', 'parameters')) ?? {};

function rulesOf(changed: Changed): SimulatedParams {
  const { min_fee_a, min_fee_b, coins_per_utxo_size, max_tx_size } = { ...PREPROD, ...changed };
  return {
    feePerByte: BigInt(min_fee_a),
    feeFixed: BigInt(min_fee_b),
    coinsPerByte: BigInt(coins_per_utxo_size),
    maxTxSize: max_tx_size,
  };
}

const FEE_MAX = 100_000_000;
const Change = Type.Object({
  min_fee_a: Type.Optional(integerInput(0, FEE_MAX)),
  min_fee_b: Type.Optional(integerInput(0, FEE_MAX)),
  coins_per_utxo_size: Type.Optional(integerInput(1, FEE_MAX)),
});

/** `POST /cardano/parameters`: what a new epoch asks for; an empty body sets back what preprod asks for. */
export function parameterControl(server: FastifyInstance, { records }: World): void {
  server.post<{ Body: Static<typeof Change> }>(
    '/cardano/parameters',
    { schema: { body: Change } },
    async ({ body: { coins_per_utxo_size: coins, ...fees } }) => {
      const changed: Changed = { ...fees, ...(coins && { coins_per_utxo_size: String(coins) }) };
      await records.exclusively(PROVIDER, 'parameters', 'parameters', async (held) => {
        await held.remove(PROVIDER, 'parameters', 'parameters');
        await held.insert(PROVIDER, 'parameters', 'parameters', changed);
      });
      return { ...PREPROD, ...changed };
    },
  );
}

/** Blockfrost's epochs: there is the latest alone. */
export function parameterRoutes(server: FastifyInstance, world: World): void {
  server.get('/epochs/latest/parameters', async () => shownParameters(world));
  server.get<{ Params: { number: string } }>(
    '/epochs/:number/parameters',
    async ({ params }, reply) => {
      const isLatest = params.number === String(epochOf(slotOf(world)).epoch);
      return isLatest ? shownParameters(world) : missing(reply);
    },
  );
}

/** The votes' thresholds are preprod's; nothing here votes. */
async function shownParameters(world: World): Promise<object> {
  const now = { ...PREPROD, ...(await changes(world.records)) };
  return {
    ...now,
    ...FIXED,
    ...VOTES,
    epoch: epochOf(slotOf(world)).epoch,
    coins_per_utxo_word: now.coins_per_utxo_size,
    min_utxo: now.coins_per_utxo_size,
    // By the names of its operations it is of no use here, where no script runs.
    cost_models: null,
    cost_models_raw: COST_MODELS,
  };
}

const FIXED = {
  max_block_size: 90_112,
  max_block_header_size: 1100,
  key_deposit: '2000000',
  pool_deposit: '500000000',
  e_max: 18,
  n_opt: 500,
  a0: 0.3,
  rho: 0.003,
  tau: 0.2,
  decentralisation_param: 0,
  extra_entropy: null,
  protocol_major_ver: 10,
  protocol_minor_ver: 0,
  min_pool_cost: '170000000',
  nonce: '1a3be38bcbb7911969283716ad7aa550250226b76a61fc51cc9a9a35d9276d81',
  price_mem: 0.0577,
  price_step: 0.0000721,
  max_tx_ex_mem: '16500000',
  max_tx_ex_steps: '10000000000',
  max_block_ex_mem: '72000000',
  max_block_ex_steps: '20000000000',
  max_val_size: '5000',
  collateral_percent: 150,
  max_collateral_inputs: 3,
};

const VOTES = {
  pvt_motion_no_confidence: 0.51,
  pvt_committee_normal: 0.51,
  pvt_committee_no_confidence: 0.51,
  pvt_hard_fork_initiation: 0.51,
  pvt_p_p_security_group: 0.51,
  pvtpp_security_group: 0.51,
  dvt_motion_no_confidence: 0.67,
  dvt_committee_normal: 0.67,
  dvt_committee_no_confidence: 0.6,
  dvt_update_to_constitution: 0.75,
  dvt_hard_fork_initiation: 0.6,
  dvt_p_p_network_group: 0.67,
  dvt_p_p_economic_group: 0.67,
  dvt_p_p_technical_group: 0.67,
  dvt_p_p_gov_group: 0.75,
  dvt_treasury_withdrawal: 0.67,
  committee_min_size: '7',
  committee_max_term_length: '146',
  gov_action_lifetime: '6',
  gov_action_deposit: '100000000000',
  drep_deposit: '500000000',
  drep_activity: '20',
  min_fee_ref_script_cost_per_byte: 15,
};
