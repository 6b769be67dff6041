import { cardUser, GOOD, houseBalance, networkBalance, spoil } from './cards.ts';
import { checkoutOf } from './checkout.ts';
import type { Body, Harness, Person } from './harness.ts';
import { invoicesOf } from './invoices.ts';

/** Invoices that cards pay on their pages, for tests. */
export function checkoutCards(h: Harness) {
  const invoices = invoicesOf(h);
  const read = async (as: Person, invoice_id: string): Promise<Body> =>
    (await invoices.read(as, invoice_id))[1].data;
  return {
    /** An invoice of 20.00 USD, and its page. */
    async asked(as: Person, more: object = {}) {
      const invoice = await invoices.created(as, more);
      return {
        id: invoice.invoice_id as string,
        page: checkoutOf(h, invoice),
        read: () => read(as, invoice.invoice_id),
        wallet: (currency: 'USD' | 'IDR' = 'USD') => cardUser(h, as).balance(currency),
      };
    },
    /** One that a card has paid. */
    async paid(as: Person, more: object = {}, number = GOOD) {
      const asked = await this.asked(as, more);
      const { status } = await asked.page.card(number);
      const invoice = await asked.read();
      if (status !== 303 || invoice.status !== 'PAID') throw new Error(JSON.stringify(invoice));
      const payment: Body = invoice.payments.at(-1);
      return { ...asked, payment, reference: payment.provider_reference as string };
    },
    /** The network's own word about a payment, which it then tells us. */
    async network(as: Person, reference: string, status: string, amount?: string): Promise<void> {
      const [, { data }] = await cardUser(h, as).reference(reference);
      const { transaction_identifier: name } = data;
      await h.sandbox('POST', `/cards/${name}/status`, {
        status,
        ...(amount !== undefined && { amount }),
      });
      await h.call('POST /card-checkout/card/callback', {
        as: 'nobody',
        body: { transactionIdentifier: name, status },
      });
      await h.drain();
    },
    /** The network takes what it is asked, and we hear nothing. */
    async loseAnswers(): Promise<void> {
      await spoil(h, 'commit-then-drop');
      await spoil(h, 'drop', 5);
    },
    /** It answers again, until everything has its end. */
    async found(): Promise<void> {
      await h.sandbox('DELETE', '/faults');
      for (let n = 0; n < 3; n += 1) {
        await h.advance(700);
        await h.drain();
      }
    },
    /** Whether the card network's account agrees with ours. */
    async agrees(): Promise<boolean> {
      const ours = await houseBalance(h, 'card-settlement', 'USD');
      return (await networkBalance(h, 'USD')) === -ours;
    },
  };
}
