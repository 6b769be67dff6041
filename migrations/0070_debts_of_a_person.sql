-- Whether a person owes anything is asked before each debit.
create index bank_top_ups_debtor on bank_top_ups (user_id) where owed > 0;
