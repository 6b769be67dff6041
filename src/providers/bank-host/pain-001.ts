import { dayIn, zoneOfCountry } from '#kernel/calendar.ts';
import { format } from '#kernel/money/money.ts';
import { writeXml, type XmlTree } from '#kernel/xml/xml.ts';
import { HOST_BANKS, type HostPayment, hostBankOf, plainAccount } from './port.ts';

/** Who pays, and from which account. */
export interface HostDebtor {
  readonly name: string;
  readonly bic: string;
  readonly account: string;
}

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
const NAME_MAX = 140;
const TEXT_MAX = 140;

/**
 * A payment as pain.001.001.09. Message, order and payment have our one reference, so that the bank knows a
 * repetition of the file by it.
 */
export function pain001(payment: HostPayment, debtor: HostDebtor, at: Date): string {
  const { reference, money, to, description } = payment;
  const amount = format(money);
  const sums = { NbOfTxs: '1', CtrlSum: amount };
  const { country } = HOST_BANKS[money.asset];
  return writeXml({
    Document: {
      '@xmlns': NAMESPACE,
      CstmrCdtTrfInitn: {
        GrpHdr: {
          MsgId: reference,
          CreDtTm: at.toISOString(),
          ...sums,
          InitgPty: { Nm: debtor.name.slice(0, NAME_MAX) },
        },
        PmtInf: {
          PmtInfId: reference,
          PmtMtd: 'TRF',
          BtchBookg: 'false',
          ...sums,
          ReqdExctnDt: { Dt: dayIn(zoneOfCountry(country), at) },
          Dbtr: { Nm: debtor.name.slice(0, NAME_MAX) },
          DbtrAcct: { Id: { Othr: { Id: debtor.account } }, Ccy: money.asset },
          DbtrAgt: { FinInstnId: { BICFI: debtor.bic } },
          // What is named arrives.
          ChrgBr: 'DEBT',
          CdtTrfTxInf: {
            PmtId: { InstrId: reference, EndToEndId: reference },
            Amt: { InstdAmt: { '@Ccy': money.asset, '#text': amount } },
            CdtrAgt: { FinInstnId: agentOf(payment, country) },
            Cdtr: { Nm: to.accountName.slice(0, NAME_MAX), PstlAdr: { Ctry: country } },
            CdtrAcct: { Id: { Othr: { Id: plainAccount(to.accountNumber) } } },
            RmtInf: { Ustrd: description.slice(0, TEXT_MAX) },
          },
        },
      },
    },
  });
}

function agentOf({ money, to }: HostPayment, country: string): XmlTree {
  const bank = hostBankOf(money.asset, to.bankCode);
  if (bank === undefined) throw new Error(`${to.bankCode} is no bank for ${money.asset}`);
  if ('bic' in bank) return { BICFI: bank.bic };
  return {
    ClrSysMmbId: { ClrSysId: { Cd: bank.system }, MmbId: bank.member },
    PstlAdr: { Ctry: country },
  };
}
