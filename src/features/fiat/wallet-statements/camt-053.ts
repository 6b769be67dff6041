import { dayIn } from '#kernel/calendar.ts';
import { writeXml, type XmlTree, xmlPart } from '#kernel/xml/xml.ts';
import {
  kindInWords,
  type StatementEntry,
  type StatementHead,
  statedAmount,
  type WalletStatement,
} from './statement.ts';

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:camt.053.001.08';
/** The longest texts of the message's types. */
const MAX = { reference: 35, account: 70, name: 140, text: 500 };

/** As camt.053.001.08. Its times are the end of the statement, so that the same statement has the same bytes. */
export async function* camt053Statement({
  head,
  entries,
}: WalletStatement): AsyncGenerator<string> {
  // The entries go where the list of them is empty, for a document of all of them may be long.
  const whole = writeXml({
    Document: { '@xmlns': NAMESPACE, BkToCstmrStmt: messageOf(head) },
  });
  const end = '</Stmt></BkToCstmrStmt></Document>';
  if (!whole.endsWith(end)) throw new Error('The statement does not end as it should');
  yield whole.slice(0, -end.length);
  for await (const page of entries())
    yield page.map((entry) => xmlPart({ Ntry: entryOf(head, entry) })).join('');
  yield end;
}

function messageOf(head: StatementHead): XmlTree {
  const { wallet_id, currency, holder, issuer, from, to, as_of, digest, credits, debits } = head;
  return {
    GrpHdr: { MsgId: digest.slice(0, MAX.reference), CreDtTm: as_of },
    Stmt: {
      Id: `${wallet_id}-${from.replaceAll('-', '')}-${to.replaceAll('-', '')}`,
      CreDtTm: as_of,
      FrToDt: { FrDtTm: head.starts_at, ToDtTm: as_of },
      Acct: {
        Id: { Othr: { Id: String(wallet_id) } },
        Ccy: currency,
        Nm: holder.slice(0, MAX.account),
        Ownr: { Nm: holder.slice(0, MAX.name) },
        Svcr: { FinInstnId: { Nm: issuer.slice(0, MAX.name) } },
      },
      Bal: [
        balanceOf(head, 'OPBD', head.opening, from),
        balanceOf(head, 'CLBD', head.closing, dayIn(head.time_zone, new Date(as_of))),
      ],
      TxsSummry: {
        TtlNtries: {
          NbOfNtries: String(credits.count + debits.count),
          Sum: statedAmount(head, credits.amount + debits.amount),
          TtlNetNtry: {
            Amt: statedAmount(head, size(credits.amount - debits.amount)),
            CdtDbtInd: indicator(credits.amount - debits.amount),
          },
        },
        TtlCdtNtries: {
          NbOfNtries: String(credits.count),
          Sum: statedAmount(head, credits.amount),
        },
        TtlDbtNtries: { NbOfNtries: String(debits.count), Sum: statedAmount(head, debits.amount) },
      },
    },
  };
}

const size = (units: bigint): bigint => (units < 0n ? -units : units);
const indicator = (units: bigint): string => (units < 0n ? 'DBIT' : 'CRDT');

const money = (head: StatementHead, units: bigint) => ({
  Amt: { '@Ccy': head.currency, '#text': statedAmount(head, size(units)) },
  CdtDbtInd: indicator(units),
});

const balanceOf = (head: StatementHead, code: string, units: bigint, day: string): XmlTree => ({
  Tp: { CdOrPrtry: { Cd: code } },
  ...money(head, units),
  Dt: { Dt: day },
});

function entryOf(head: StatementHead, entry: StatementEntry): XmlTree {
  const { seq, kind, key, booked_at, amount, payment, description } = entry;
  const own = payment?.reference ?? '';
  const reference = `${head.wallet_id}-${seq}`;
  return {
    NtryRef: String(seq),
    ...money(head, amount),
    Sts: { Cd: 'BOOK' },
    BookgDt: { DtTm: booked_at },
    ValDt: { DtTm: booked_at },
    AcctSvcrRef: reference,
    BkTxCd: { Prtry: { Cd: kind.slice(0, MAX.reference), Issr: 'ARCHIPAY' } },
    NtryDtls: {
      TxDtls: {
        Refs: {
          AcctSvcrRef: reference,
          ...(own !== '' && own.length <= MAX.reference && { EndToEndId: own }),
        },
        ...money(head, amount),
        ...partyOf(entry),
        AddtlTxInf: [kindInWords(kind), description, own]
          .filter(Boolean)
          .join(' · ')
          .slice(0, MAX.text),
      },
    },
    AddtlNtryInf: key.slice(0, MAX.text),
  };
}

/** Who has paid, or was paid. */
function partyOf({ amount, payment }: StatementEntry): { readonly RltdPties?: XmlTree } {
  const known = [payment?.counterparty_name, payment?.counterparty_detail].filter(Boolean);
  if (known.length === 0) return {};
  const party = { Pty: { Nm: known.join(' · ').slice(0, MAX.name) } };
  return { RltdPties: amount < 0n ? { Cdtr: party } : { Dbtr: party } };
}
