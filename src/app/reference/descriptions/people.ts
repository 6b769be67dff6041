import type { Vocabulary } from '#kernel/openapi/vocabulary.ts';

/** Clients, people, their log-ins and what proves who they are. */
export const OF_PEOPLE: Vocabulary['descriptions'] = {
  'keys.generate':
    'Anybody may call it, up to 5 times an hour from one address. The key names an application and no user: it opens log-ins and public data, and everything else needs a log-in token beside it. The answer shows the key once.',
  'keys.create':
    'A logged-in user calls it; no API key is needed. The key belongs to the caller and serves the users of the caller’s client. The answer shows it once; `api_key.created` follows, and `api_key.expiring` before it ends.',
  'keys.list':
    'A user sees the own keys, with their first and last characters only, how often each was used and when it ends.',
  'clients.create':
    'Any API key may call it. It makes the client, its admin and the admin’s first wallet in one step, and mails the admin a password and a link to confirm the address. The client is `PENDING` until the operator or the verification of the company makes it `ACTIVE`; its admin can log in at once. `client.created` and `user.created` follow.',
  'clients.list': 'An admin sees the own client; an admin of the operator sees all clients.',
  'clients.stop':
    'Only an admin of the operator may call it. From now on all keys and log-ins of the client answer 403 `ACCOUNT_NOT_ACTIVE`, and its webhooks wait. Jobs and payments that have begun are finished. Changes of accounts that its admins had proposed are void, also once it is let in again: `left` lists them. A client that is stopped already is answered the same way; `client.stopped` follows.',
  'clients.letIn':
    'Only an admin of the operator may call it. The client has the status that it had before, and its webhooks go on where they stopped. `client.let_in` follows.',
  'auth.logIn':
    'It takes the user’s name or e-mail address and the password. The answer has a token for the header `Authorization`; where a second factor is enabled it has none, and `POST /auth/complete-login` takes the code. After repeated wrong passwords the account answers more slowly. `session.opened` follows.',
  'users.listChanges':
    'Users see their own changes; admins see those of the people of their client. A change counts once the user has confirmed it by the link of the mail, and lapses after 24 hours.',
  'users.get':
    'Users read themselves; an admin reads the people of the own client, and the operator reads everybody.',
  'users.list':
    'An admin sees the people of the own client, the operator those of all clients. Sums are in the currency of the client at the market’s rate of now; `unconverted` names currencies without a rate, and these are left out of the sums. Of `total_balance`, `available` is what can be spent: less what is held for payments under way and what is owed, and nothing of frozen wallets.',
  'users.listCountries':
    'The answer has the country codes that `country_code` of a new client or user may have.',
  'users.logOut':
    'A user ends the own session. Its token is refused at once, in all processes. `session.revoked` follows.',
  'users.reportVerification':
    'The payment service provider calls it with its own key. The newest decision counts: a report that is older than the present status changes nothing. `verification.approved`, `verification.rejected` or `verification.pending` follows where the status has changed.',
  'users.updateProfile':
    'Users change their own profile; an admin may change that of a person of the own client. `current_password` and `otp_code` (from `POST /users/request-otp`, where the setting asks for it) are always the caller’s own. Out of mock mode a new e-mail address that an admin enters for another person waits until that person confirms it by mail. `user.updated` follows.',
  'users.requestCode':
    'Any API key may call it. The code goes to the telephone number of the user’s profile and is good for one change of the profile. Out of mock mode the next code can be requested after 30 seconds.',
  'users.getTermsLink':
    'Users get their own link; an admin may get that of a person of the own client. The page behind it shows the terms that are in force and records when the user accepts them.',
  'users.resendConfirmation':
    'Anybody may call it. The answer is the same for every address, so that it does not show which addresses have an account. At most five links are valid at the same time.',
  'admins.list': 'An admin sees the admins of the own client.',
  'admins.createUser':
    'An admin creates people of the own client, the operator those of any client. The person is verified and active at once, gets the temporary password and a link to confirm the address by mail, and should change the password within 72 hours. For Indonesia a customer at the payment service provider is made as well; `psp_a_integration` shows how far that is, and a job continues it where the provider does not answer. `user.created` follows.',
  'admins.approveKyc':
    'An admin approves people of the own client, the operator everybody. A person who is approved already is answered the same way and nothing changes; a rejected one is 404. `verification.approved` and `user.activated` follow. A stopped person stays stopped.',
  'admins.getUser': 'An admin reads the people of the own client, the operator everybody.',
  'admins.audit':
    'An admin reads what was done to the own client and its people, reasons included; the operator reads it of all clients. Entries are never changed or deleted.',
  'admins.moveAddress':
    'Only an admin of the operator may call it, with a reason and a proof. The change takes effect after 24 hours (in mock mode at once). Until then the user can stop it or have it at once by the link that goes to the old address, and the operator can stop it. Then the new address has to be confirmed, and the password can be reset.',
  'admins.stopUser':
    'An admin stops people of the own client, the operator everybody; an admin cannot stop the own account. All open sessions of the person end, every log-in answers 403 `ACCOUNT_NOT_ACTIVE`, and payments that have begun are finished. Changes and corrections that the person had ordered or proposed are void, webhook endpoints that the person made are paused, and keys of the person go on for the client’s application: `left` lists all of them. `user.stopped` follows.',
  'admins.letUserIn':
    'An admin lets in people whom an admin of the client has stopped; the operator lets in everybody. The person has the status of before and has to log in again. `user.let_in` follows.',
  'instances.list': 'An admin sees the shops, apps or branches of the own client.',
  'instances.create':
    'An admin creates it for the own client. A name that the client uses already is 409 `CONFLICT`. `instance.created` follows.',
  'sessions.list':
    'Users see their own sessions, with the network and program of each log-in. `DELETE /sessions/{session_id}` ends one of them.',
  'sessions.prove':
    'A user calls it before an operation that needs a proof. It takes the password, a code of the authenticator app or a backup code.',
  'sessions.endOthers':
    'Users end all other sessions of their own, for example after a device was lost. `session.revoked` follows for each.',
  'password.requestReset':
    'Any API key may call it. The answer is the same for every address. The link of the mail leads to a page that sets the new password, and can remove the log-in methods and keys that were added since the last reset.',
  'password.requestWithoutKey':
    'The page `/forgotten-password` calls it. It answers as `POST /password/request_reset` does and has the same limits.',
  'twoFactor.setUp':
    'A user calls it for the own account. Out of mock mode it needs a proof: the password, a code, or a log-in of the last five minutes. The answer shows secret and backup codes once; nothing changes until `POST /2fa/enable` has taken a code of the app.',
  'twoFactor.getStatus': 'Users read it of their own account.',
  'twoFactor.audit': 'Users read it of their own account.',
  'externalLogin.logIn':
    'It takes the token that the external provider has given to the person. A person without an account gets one, in the client of the API key. An e-mail address that has an account already is 409 `ACCOUNT_EXISTS`: log in there and link the external account.',
  'externalLogin.link':
    'Users link an account to themselves; an admin may do it for a person of the own client. Out of mock mode one’s own link needs a proof (password, code, or a log-in of the last five minutes), and that of another person waits until the person confirms it by mail: the answer is 202 with `pending_change`. `external_identity.linked` follows.',
  'externalLogin.linkWallet':
    'Users link a wallet to themselves; an admin may do it for a person of the own client, as at `POST /extauth/auth/link`. Afterwards the wallet proves payments and burns as the user’s own.',
  'externalLogin.stats':
    'An admin sees the figures of the own client, an admin of the operator those of all clients.',
  'externalLogin.health':
    'Any logged-in user may call it. `status` is `degraded` where a setting is missing or the provider does not answer; `issues` names what.',
  'verification.getStatus':
    'Users read their own status; an admin reads that of the people of the own client. A person without a verification is `Not yet Submit`.',
  'verification.listHistory':
    'Users read their own history; an admin reads that of the people of the own client. Each entry says where the decision came from.',
  'verification.createToken':
    'Users create it for themselves and hand it to the identity provider’s SDK in their app. The result comes by the provider’s webhook; `verification.approved` or `verification.rejected` follows.',
  'verification.createCompanyToken':
    'Users create it for themselves. The result counts for the client where the user is one of its admins: a verified company makes its client `ACTIVE`.',
  'verification.createLink':
    'Users create it for themselves; an admin may do it for a person of the own client. The person opens the link in a browser. The result comes by the provider’s webhook.',
  'verification.createCompanyLink':
    'Users create it for themselves; an admin may do it for a person of the own client. The result counts for the client where the person is one of its admins.',
  'verification.syncStatus':
    'Anybody may call it, and the answer shows nothing about a person. In mock mode the words of the body count; out of it the platform looks the applicant up at the provider, and the applicant has to be that user’s. It approves and never rejects. `verification.approved` follows where the status has changed.',
  'partnerCustomers.create':
    'Users register themselves; an admin may do it for a person of the own client. The customer is made at the partner once, however often it is called. `partner_customer.created` follows.',
  'partnerCustomers.getStatus':
    'Users read their own status; an admin reads that of the people of the own client. Each call looks the customer up at the partner.',
  'partnerCustomers.syncStatus':
    'Users do it for themselves, an admin for the people of the own client. `changes_detected` lists what differs from the last time; `partner_customer.updated` follows where something does.',
  'partnerCustomers.getMode': 'Any logged-in user may call it.',
  'rewards.logIn':
    'The rewards app calls it with its API key. A new number becomes a member with 50 welcome points (`member.joined`, `reward.granted`). Where `REWARDS_LOGIN_CODE` is `required`, as in production, `POST /xotp/verify` has to have proven the number for the purpose `login` before.',
  'rewards.requestCode':
    'The rewards app calls it with its API key. `POST /xotp/verify` takes the code once. Limits hold for each number, each network and each day.',
  'rewards.countWaiting':
    'Any API key may call it. The number includes those who waited before the app existed.',
};
