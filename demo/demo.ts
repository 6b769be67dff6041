import { loadConfig, publicUrl } from '../src/kernel/config/config.ts';
import { betweenPeople } from './between-people.ts';
import { cardano } from './cardano.ts';
import { books, cards } from './cards.ts';
import { chains } from './chains.ts';
import { conversion } from './conversion.ts';
import { externalLogin, partnerCustomer, verification } from './identity.ts';
import { rupiahTokens } from './idr-token.ts';
import { paidInvoice, statementOfDays } from './invoices.ts';
import { marketplace } from './marketplace.ts';
import { apiKey, newPerson, organisation, twoFactor } from './people.ts';
import { purchase } from './purchase.ts';
import { rewards } from './rewards.ts';
import { connect, UnexpectedResponse } from './service.ts';
import { toBanks } from './to-banks.ts';
import { webhooks } from './webhooks.ts';
import { xrpl } from './xrpl.ts';

/**
 * Walks the main job against the running service, over HTTP only, and prints each step. Ends with an error at the first
 * unexpected answer. Can be run again on the same database.
 */

const config = loadConfig(process.env);
const service = connect(`${publicUrl(config)}/api`, `http://localhost:${config.SANDBOX_PORT}`);
const run = Date.now().toString(36);

try {
  await apiKey(service);
  const company = await organisation(service, run);
  const { admin, user } = company;
  const counted = await cards(service, user, run);
  await rupiahTokens(service, user, run);
  const known = await twoFactor(service, user);
  await verification(service, company);
  await externalLogin(service, run);
  await partnerCustomer(service, known);
  await rewards(service, run);
  await chains(service, known);
  await books(service, admin, known, counted);
  await conversion(service, admin, known);
  await xrpl(service, known);
  await cardano(service, known);
  await purchase(service, known);
  await marketplace(service, known);
  await webhooks(service, admin, run);
  service.part('A second user and a second admin');
  const friend = await newPerson(service, company, { name: `friend-${run}`, role: 'user' });
  const colleague = await newPerson(service, company, { name: `colleague-${run}`, role: 'admin' });
  const pair = { user: known, friend, run };
  await betweenPeople(service, pair);
  await toBanks(service, { ...pair, admin, colleague });
  await statementOfDays(service, pair);
  await paidInvoice(service, pair);
  console.log('\nAll steps passed');
} catch (error) {
  if (!(error instanceof UnexpectedResponse)) throw error;
  console.error(`\nUnexpected: ${error.message}`);
  process.exitCode = 1;
}
