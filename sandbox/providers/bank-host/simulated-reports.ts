import { randomUUID } from 'node:crypto';
import type { World } from '#sandbox/simulator.ts';
import { spoilStatement } from '#sandbox/statement-faults.ts';
import { BANK_HOST_SIMULATOR } from './simulated-holders.ts';
import {
  bookingsOf,
  type HostBooking,
  type HostFile,
  type HostOrder,
  hostOrderOf,
} from './simulated-orders.ts';

/** The messages that this bank writes, element by element as their definitions order them. */

const escaped = (text: string): string =>
  text.replace(/[<>&"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const tag = (name: string, content: string, attribute = ''): string =>
  `<${name}${attribute}>${content}</${name}>`;
const word = (name: string, text: string): string => tag(name, escaped(text));
const amount = (name: string, { amount: sum, currency }: { amount: string; currency: string }) =>
  tag(name, escaped(sum), ` Ccy="${escaped(currency)}"`);
const document = (message: string, content: string): string =>
  '<?xml version="1.0" encoding="UTF-8"?>\n' +
  tag('Document', content, ` xmlns="urn:iso:std:iso:20022:tech:xsd:${message}"`);
const messageId = (): string => randomUUID().replaceAll('-', '');

interface Reported {
  readonly order: HostOrder;
  readonly status: string;
  readonly reason?: string | undefined;
}

/** What became of a file. */
export async function reportOfSubmission(
  world: World,
  { messageId: original, payments }: HostFile,
): Promise<string> {
  const reported: Reported[] = [];
  for (const { endToEndId, rejected } of payments) {
    const order = await hostOrderOf(world.records, endToEndId);
    if (rejected === undefined && order) reported.push({ ...order, order });
    else if (order) reported.push({ order, status: 'RJCT', reason: rejected });
  }
  const refused = payments.find(({ rejected }) => rejected !== undefined)?.rejected;
  return reported.length > 0
    ? pain002(world.clock.now(), original, reported)
    : refusedGroup(world.clock.now(), original, refused ?? 'FF01');
}

/** How one payment stands. */
export const reportOfOrder = (world: World, order: HostOrder): string =>
  pain002(world.clock.now(), order.messageId, [{ ...order, order }]);

/** A file that was refused as a whole before its payments were looked at. */
const refusedGroup = (at: Date, original: string, reason: string): string =>
  document(
    'pain.002.001.10',
    tag(
      'CstmrPmtStsRpt',
      header(at) +
        tag(
          'OrgnlGrpInfAndSts',
          originalGroup(original) + word('GrpSts', 'RJCT') + reasonInfo(reason),
        ),
    ),
  );

const header = (at: Date): string =>
  tag('GrpHdr', word('MsgId', messageId()) + word('CreDtTm', at.toISOString()));
const originalGroup = (original: string): string =>
  word('OrgnlMsgId', original) + word('OrgnlMsgNmId', 'pain.001.001.09');
const reasonInfo = (code: string): string => tag('StsRsnInf', tag('Rsn', word('Cd', code)));

function pain002(at: Date, original: string, all: readonly Reported[]): string {
  const orders = [...new Set(all.map(({ order }) => order.orderId))].map((id) =>
    tag(
      'OrgnlPmtInfAndSts',
      word('OrgnlPmtInfId', id) +
        all
          .filter(({ order }) => order.orderId === id)
          .map(statusOf)
          .join(''),
    ),
  );
  return document(
    'pain.002.001.10',
    tag(
      'CstmrPmtStsRpt',
      header(at) + tag('OrgnlGrpInfAndSts', originalGroup(original)) + orders.join(''),
    ),
  );
}

const statusOf = ({ order, status, reason }: Reported): string =>
  tag(
    'TxInfAndSts',
    (order.instructionId ? word('OrgnlInstrId', order.instructionId) : '') +
      word('OrgnlEndToEndId', order.endToEndId) +
      word('TxSts', status) +
      (reason === undefined ? '' : reasonInfo(reason)) +
      word('AccptncDtTm', order.created) +
      word('AcctSvcrRef', order.accountServicerId) +
      tag('OrgnlTxRef', tag('Amt', amount('InstdAmt', order))),
  );

export interface NotificationQuery {
  readonly endToEndId?: string;
  readonly from?: string;
  readonly to?: string;
  readonly limit?: string;
  readonly after?: string;
}

const LIMIT_MAX = 500;
const BATCH = 1000;
const COPY = '-2';

/** A page of booked entries as one camt.054, newest first, and where the next page begins. */
export async function notifications(
  world: World,
  { endToEndId, from = '', to = '9', limit = '100', after }: NotificationQuery,
): Promise<{ readonly xml: string; readonly next: string | undefined }> {
  const size = Math.min(Math.max(Number(limit) || 1, 1), LIMIT_MAX);
  const where = endToEndId === undefined ? {} : { endToEndId };
  const found: HostBooking[] = [];
  let before = after?.replace(new RegExp(`${COPY}$`), '');
  for (let isLast = false; !isLast && found.length <= size; ) {
    const batch = await bookingsOf(world.records, {
      limit: BATCH,
      where,
      ...(before && { before }),
    });
    found.push(...batch.filter(({ at }) => at >= from && at < to));
    before = batch.at(-1)?.id;
    isLast = batch.length < BATCH || (batch.at(-1)?.at ?? '') < from;
  }
  const page = found.slice(0, size);
  const shown = await spoilStatement(world, BANK_HOST_SIMULATOR, page, {
    reference: (booking) => booking.endToEndId,
    double: (booking) => ({ ...booking, id: `${booking.id}${COPY}` }),
    alter: (booking) => ({ ...booking, amount: String(Number(booking.amount) + 1) }),
  });
  const next = found.length > size ? page.at(-1)?.id : undefined;
  return { xml: camt054(world.clock.now(), shown), next };
}

function camt054(at: Date, bookings: readonly HostBooking[]): string {
  const accounts = [...new Set(bookings.map(({ account }) => account))];
  const notes = accounts.map((account) => {
    const own = bookings.filter((one) => one.account === account);
    return tag(
      'Ntfctn',
      word('Id', messageId()) +
        word('CreDtTm', at.toISOString()) +
        tag(
          'Acct',
          tag('Id', tag('Othr', word('Id', account))) + word('Ccy', own[0]?.currency ?? ''),
        ) +
        own.map(entryOf).join(''),
    );
  });
  // A notification names an account, also where there is nothing to tell.
  const none = tag(
    'Ntfctn',
    word('Id', messageId()) +
      word('CreDtTm', at.toISOString()) +
      tag('Acct', tag('Id', tag('Othr', word('Id', 'NONE')))),
  );
  return document(
    'camt.054.001.08',
    tag('BkToCstmrDbtCdtNtfctn', header(at) + (notes.join('') || none)),
  );
}

const entryOf = (booking: HostBooking): string =>
  tag(
    'Ntry',
    word('NtryRef', booking.id) +
      amount('Amt', booking) +
      word('CdtDbtInd', booking.direction) +
      tag('Sts', word('Cd', 'BOOK')) +
      tag('BookgDt', word('DtTm', booking.at)) +
      word('AcctSvcrRef', booking.id) +
      tag('BkTxCd', tag('Domn', word('Cd', 'PMNT') + tag('Fmly', familyOf(booking)))) +
      tag('NtryDtls', tag('TxDtls', detailsOf(booking))),
  );

const familyOf = ({ direction }: HostBooking): string =>
  word('Cd', direction === 'DBIT' ? 'ICDT' : 'RCDT') +
  word('SubFmlyCd', direction === 'DBIT' ? 'DMCT' : 'RRTN');

const detailsOf = (booking: HostBooking): string =>
  tag('Refs', word('AcctSvcrRef', booking.id) + word('EndToEndId', booking.endToEndId)) +
  amount('Amt', booking) +
  word('CdtDbtInd', booking.direction) +
  tag('RltdPties', tag('Cdtr', tag('Pty', word('Nm', booking.party)))) +
  (booking.note === '' ? '' : tag('RmtInf', word('Ustrd', booking.note))) +
  (booking.reason === undefined ? '' : tag('RtrInf', tag('Rsn', word('Cd', booking.reason))));
