/** A test that shows a requirement to be met. */
export interface Proof {
  /** Path from the root of the repository. */
  readonly file: string;
  /** Title as it stands in the file; for a table of cases the template. */
  readonly test: string;
  /** Text that picks the row out of a table of cases. */
  readonly row?: string;
}

/** Something that is promised about the management endpoint. */
export interface Requirement {
  readonly id: string;
  readonly says: string;
  readonly proven: readonly Proof[];
}

const proofs =
  (file: string) =>
  (test: string, row?: string): Proof => ({ file, test, ...(row === undefined ? {} : { row }) });

const wire = proofs('apps/server/test/mcp-wire.test.ts');
const calls = proofs('apps/server/test/mcp-calls.test.ts');
const boot = proofs('apps/server/test/mcp-config.test.ts');
const reload = proofs('apps/server/test/management.test.ts');
const token = proofs('apps/server/test/token.test.ts');
const settings = proofs('apps/server/test/settings.test.ts');
const tls = proofs('apps/server/test/tls.test.ts');
const deep = proofs('apps/server/test-deep/protocol.test.ts');
const gate = proofs('packages/mgmt-auth/test/gate.test.ts');
const config = proofs('packages/mgmt-auth/test/config.test.ts');
const lines = proofs('packages/mgmt-auth/test/boot-lines.test.ts');
const digests = proofs('packages/mgmt-auth/test/credentials.test.ts');
const challenge = proofs('packages/mgmt-auth/test/challenge.property.test.ts');
const policy = proofs('packages/mgmt-auth/test/policy.test.ts');
const literals = proofs('packages/mgmt-auth/test/literals.property.test.ts');
const refusals = proofs('packages/mcp-surface/test/refusals.test.ts');
const requests = proofs('packages/mcp-surface/test/requests.test.ts');
const protocol = proofs('packages/mcp-surface/test/protocol.test.ts');
const bodies = proofs('packages/mcp-surface/test/bodies.test.ts');
const crowd = proofs('packages/mcp-surface/test/concurrency.test.ts');
const operations = proofs('packages/ops/test/operations.test.ts');
const scope = proofs('packages/ops/test/scope.test.ts');
const keeper = proofs('packages/ops/test/keeper-tools.test.ts');
const data = proofs('packages/ops/test/policy-data.test.ts');
const patch = proofs('packages/trigger-schema/test/patch-trigger.test.ts');
const firing = proofs('packages/ops/test/firing.test.ts');

const EXACT = '%s';
const STORY = 'do what they say, one after the other, on disk and in the database';
const FORMS = 'of %j make a trigger with %j';
const SEEN = 'is what its scope allows: %s';
const HIDDEN = 'is all that there is for it, however it asks: %s';
const ELSEWHERE = 'is never a project out of reach, by any operation or spelling: %s';
const EVERY_CLIENT =
  'has one line for each that is not well, in order, and one that says what is on';
const OFF = 'says why, and answers 404: $name';
const URL_OFF = 'is off with the public URL %j, and the line before says why';
const URL_ON = 'is on with the public URL %s';
const ROTATION =
  'replaces a token without a gap, keeps the old configuration when the new one is broken, and lets calls end';
const DOCUMENT = 'of %s is at %s, for everybody';
const NO_DOCUMENT = 'is nowhere when there is none to give: %s';
const TRANSPORT = 'from %s, TLS %s, with %j gives %s';
const ARGUMENTS = 'take the arguments of set_trigger, and no others';
const KEEPER_GATES = 'are those that the gates open: %s';

const CONFIGURATION: readonly Requirement[] = [
  {
    id: 'config.file-only',
    says: 'The block comes from the file; no environment variable stands for any of it.',
    proven: [
      boot('comes from the file alone'),
      settings('hand the block of the management endpoint on as it is, from the file alone'),
    ],
  },
  {
    id: 'config.instance-id.binds',
    says: 'instanceId binds tokens shaped tok_<instanceId>_<secret> to this instance.',
    proven: [
      wire(EXACT, 'a token of this file that is bound to another instance'),
      gate('under instance id %j, %s gives %s'),
      boot('binds ids with underscores by the whole prefix'),
    ],
  },
  {
    id: 'config.instance-id.absent',
    says: 'Without instanceId no binding is enforced.',
    proven: [boot('without an instance id accepts any shaped token, and says nothing of it')],
  },
  {
    id: 'config.public-url.required',
    says: 'publicUrl is required whenever there are clients.',
    proven: [boot(OFF, 'no public URL')],
  },
  {
    id: 'config.public-url.canonical',
    says: 'publicUrl is the canonical public origin, optionally with a path.',
    proven: [
      wire(DOCUMENT),
      wire('a mounted endpoint answers at both its paths and at no other'),
      boot(URL_ON, 'https://svc.example.com:8443/a/b//'),
    ],
  },
  {
    id: 'config.public-url.https',
    says: 'publicUrl is https unless its host is loopback.',
    proven: [
      boot(URL_OFF, 'http://10.0.0.7'),
      boot(URL_ON, 'http://localhost:7420'),
      boot(OFF, 'a public URL in plain text'),
    ],
  },
  {
    id: 'config.public-url.bare',
    says: 'publicUrl has neither query nor fragment.',
    proven: [
      boot(URL_OFF, 'https://svc.example.com?x=1'),
      boot(URL_OFF, 'https://svc.example.com/#x'),
    ],
  },
  {
    id: 'config.public-url.slash',
    says: 'A slash at the end of publicUrl is stripped.',
    proven: [boot(URL_ON, 'https://svc.example.com/'), wire(DOCUMENT)],
  },
  {
    id: 'config.authorization-servers.advertised',
    says: 'The issuers are advertised in the metadata document.',
    proven: [wire(DOCUMENT)],
  },
  {
    id: 'config.authorization-servers.empty',
    says: 'Without issuers no document is published.',
    proven: [wire(NO_DOCUMENT), gate('is absent without issuers or configuration')],
  },
  {
    id: 'config.auth-type.default',
    says: 'auth.type is token when it is not given.',
    proven: [boot('lets %s in', 'TYPELESS')],
  },
  {
    id: 'config.auth-type.only-token',
    says: 'Any other auth.type is a configuration error.',
    proven: [
      boot(EVERY_CLIENT, 'oauth: { auth: { type: oauth, ref: env:GOOD } }'),
      lines(EXACT, 'another type'),
    ],
  },
  {
    id: 'config.auth-ref.variable',
    says: 'auth.ref is required, and env:<NAME> names the variable with the token.',
    proven: [boot('lets %s in', 'GOOD'), lines(EXACT, 'no reference')],
  },
  {
    id: 'config.auth-ref.only-form',
    says: 'env:<NAME> is the only form of auth.ref.',
    proven: [lines(EXACT, 'a reference to a file'), boot(EVERY_CLIENT, '{ auth: { ref: GOOD } }')],
  },
  {
    id: 'config.inline-secret',
    says: 'A literal token or secret in the file is a hard error.',
    proven: [
      boot(EVERY_CLIENT, 'inline-2: '),
      boot('keeps a token that stands in the file out'),
      lines(EXACT, 'token in auth'),
      lines(EXACT, 'secret in auth'),
      lines(EXACT, 'token beside auth'),
    ],
  },
  {
    id: 'config.client-id.identity',
    says: 'The key of a client is its identity: it is logged, and stamped on what it starts.',
    proven: [
      calls(STORY),
      calls('each see their own only, and what they start is theirs'),
      operations('stamp the client on chats, runs and messages'),
    ],
  },
  {
    id: 'config.credential.never-logged',
    says: 'The credential itself is never logged or stamped.',
    proven: [
      calls('holds no token, prompt or word of a transcript, at any level'),
      boot('logs none of the tokens'),
      boot(ROTATION),
    ],
  },
];

const SCOPE: readonly Requirement[] = [
  {
    id: 'scope.projects.default',
    says: 'Without projects a client may touch every project.',
    proven: [
      calls('are only the projects and chats in its reach', 'bare'),
      policy('reads in all projects when nothing is said'),
    ],
  },
  {
    id: 'scope.projects.empty',
    says: 'Empty projects reach nothing.',
    proven: [calls('are only the projects and chats in its reach', 'nowhere')],
  },
  {
    id: 'scope.allow.default',
    says: 'Without allow a client may invoke list_* and read_chat.',
    proven: [calls(SEEN, 'bare'), policy('reads in all projects when nothing is said')],
  },
  {
    id: 'scope.allow.empty',
    says: 'Empty allow grants nothing.',
    proven: [calls(SEEN, 'nothing')],
  },
  {
    id: 'scope.deny.wins',
    says: 'deny always beats allow; by default it is empty.',
    proven: [calls(SEEN, 'deny-wins'), policy('never allows what it denies')],
  },
  {
    id: 'scope.deny-projects.wins',
    says: 'denyProjects beats projects; by default there are none.',
    proven: [
      calls(ELSEWHERE, 'not-beta'),
      calls('are only the projects and chats in its reach', 'both-ways'),
      policy('%j reaches %j: %s'),
    ],
  },
  {
    id: 'scope.max-spawn-depth',
    says: 'maxSpawnDepth bounds the recursion of turns that the client starts.',
    proven: [
      calls('start turns only as deep as the client that began may go'),
      scope('bounds how deep turns of the client go'),
    ],
  },
  {
    id: 'scope.max-spawn-depth.default',
    says: 'Without maxSpawnDepth the bound of project or instance holds.',
    proven: [scope('bounds how deep turns of the client go')],
  },
  {
    id: 'scope.absent',
    says: 'A client without scope reads in all projects, by four operations.',
    proven: [calls(SEEN, 'bare'), policy('reads in all projects when nothing is said')],
  },
];

const CATALOGUE: readonly Requirement[] = [
  ...(['read', 'write', 'trigger'] as const).map((kind) => ({
    id: `catalogue.${kind}`,
    says: `The operations of the class ${kind} are there, and do what they say.`,
    proven: [calls(STORY), calls('are described for a model, with what they do to the world')],
  })),
  {
    id: 'catalogue.names-of-rules',
    says: 'The entries of allow and deny are the names of the tools.',
    proven: [calls(SEEN, 'two-forks'), literals('decides about its own name alone, in every list')],
  },
  {
    id: 'catalogue.keeper-names',
    says: 'A keeper sees them as mcp__svc_manage__<operation>.',
    proven: [calls('are the same operations, for real'), keeper(KEEPER_GATES)],
  },
];

const argument = (name: string, says: string, row: string | null): Requirement => ({
  id: `set-trigger.${name.replaceAll('_', '-')}`,
  says,
  proven: [calls(ARGUMENTS), ...(row === null ? [calls(STORY)] : [calls(FORMS, row)]), patch('%j')],
});

const TOOLS: readonly Requirement[] = [
  {
    id: 'keeper-gates.triggers',
    says: 'A keeper has the trigger tools only with self-management, its write layer and the hooks switch together, of the instance or of the project.',
    proven: [
      keeper(KEEPER_GATES, 'triggers of the project, without write'),
      keeper(KEEPER_GATES, 'read and triggers without write'),
      keeper(KEEPER_GATES, 'write and triggers'),
      calls('are none while the switches are off, which bind no client'),
    ],
  },
  {
    id: 'trigger-tools.every-type',
    says: 'The trigger tools manage every type of trigger.',
    proven: [calls(FORMS, 'webhook'), calls(FORMS, 'onArchive'), calls(FORMS, '15m')],
  },
  {
    id: 'set-trigger.flat',
    says: 'The arguments of set_trigger are flat, in snake case.',
    proven: [calls(ARGUMENTS)],
  },
  argument('name', 'name is required.', null),
  argument('type', 'type is schedule, event or webhook, and omitted keeps what is.', 'webhook'),
  argument('cron', 'cron has five fields or is a nickname; one of cron and interval.', '@daily'),
  {
    id: 'set-trigger.cron-or-interval',
    says: 'Exactly one of cron and interval is given.',
    proven: [
      calls('say what went wrong in one sentence, and change nothing', '* * * * *'),
      operations('refuse %j in words that name the argument'),
    ],
  },
  argument('interval', 'interval is a duration.', '15m'),
  argument('event', 'event is onArchive, or afterTurn for the curator.', 'afterTurn'),
  argument('prompt', 'prompt is inline.', '15m'),
  argument('prompt_file', 'prompt_file names a file that is read at firing.', null),
  {
    id: 'set-trigger.prompt-or-file',
    says: 'Either prompt or prompt_file is given.',
    proven: [calls('say what went wrong in one sentence, and change nothing', 'prompt_file')],
  },
  argument('session', 'session is new by default, or resume.', 'resume'),
  argument('tools', 'tools is an array, JSON text, or separated by commas or lines.', 'Read, Glob'),
  {
    id: 'set-trigger.tools-empty',
    says: 'No tools: none for a hook, those of the keeper on a schedule.',
    proven: [calls(FORMS, 'onArchive'), calls(FORMS, '15m')],
  },
  argument('model', 'model overrides the model.', 'some'),
  argument('permission_mode', 'permission_mode is one of four.', 'bypassPermissions'),
  argument('max_spawn_depth', 'max_spawn_depth 0 is no spawning.', 'max_spawn_depth'),
  argument('max_turns', 'max_turns caps the turn; 30 by default.', 'max_turns'),
  argument('enabled', 'enabled is false on a new trigger, unchanged on another.', '15m'),
  {
    id: 'set-trigger.project',
    says: 'project names the project; without it the current one is meant.',
    proven: [
      calls('is its one project where it names none, and needs a name where there are several'),
      keeper(
        'work in the own project and chat by themselves, and write elsewhere only with the gate for it',
      ),
    ],
  },
  {
    id: 'set-trigger.patch',
    says: 'An edit that omits a field leaves it unchanged.',
    proven: [calls(STORY), calls(FORMS), patch('changes nothing without arguments')],
  },
  {
    id: 'list-triggers',
    says: 'list_triggers lists triggers of all types, with capability and state.',
    proven: [
      calls(STORY),
      operations('set a trigger field by field, list, run and remove it'),
      operations('set a trigger that was not valid, and tell of the entries that are not'),
    ],
  },
  {
    id: 'remove-trigger',
    says: 'remove_trigger deletes a trigger by its name.',
    proven: [calls(STORY)],
  },
  {
    id: 'run-trigger.now',
    says: 'run_trigger fires at once, by the same path as Run now; a real turn starts.',
    proven: [calls(STORY), firing('runs a disabled trigger, and says by whom')],
  },
  {
    id: 'run-trigger.gated',
    says: 'run_trigger is gated with the other trigger operations.',
    proven: [keeper(KEEPER_GATES, 'write and triggers'), calls(HIDDEN, 'bare')],
  },
  {
    id: 'other-operations',
    says: 'The other operations have parameters and results as published.',
    proven: [calls(STORY), calls('are described for a model, with what they do to the world')],
  },
];

const ENDPOINT: readonly Requirement[] = [
  {
    id: 'endpoint.post',
    says: 'POST /mcp with a token is a JSON-RPC endpoint of the protocol.',
    proven: [
      wire(EXACT, 'a request'),
      deep('connects with a header, lists, calls, pings where there is a ping, and closes'),
    ],
  },
  {
    id: 'endpoint.other-methods',
    says: 'GET and DELETE with a token are 405 with Allow: POST and a JSON-RPC error.',
    proven: [wire(EXACT, 'GET'), wire(EXACT, 'DELETE')],
  },
  {
    id: 'endpoint.other-methods.unauthenticated',
    says: 'GET and DELETE without a valid token are 401.',
    proven: [wire('to %s without a token is 401', 'DELETE')],
  },
  {
    id: 'endpoint.document.inserted',
    says: 'The metadata document is at the path-inserted address, for everybody.',
    proven: [wire(DOCUMENT)],
  },
  {
    id: 'endpoint.document.root',
    says: 'The same document is at the bare address.',
    proven: [wire(DOCUMENT)],
  },
  {
    id: 'endpoint.stateless',
    says: 'Every request has a server and transport of its own, bound to its principal; nothing is kept.',
    proven: [
      wire('keeps nothing from one request for the next'),
      crowd('hundreds of requests at once each get the answer of their own client'),
      calls('each see their own only, and what they start is theirs'),
    ],
  },
  {
    id: 'endpoint.introduction',
    says: 'The server introduces itself as svc, with the version of the package.',
    proven: [wire('introduces the server by its name and the version of the command')],
  },
  {
    id: 'endpoint.request-headers',
    says: 'A request has a bearer token, JSON as its type, and accepts JSON and event streams.',
    proven: [
      wire(EXACT, 'a request'),
      wire(EXACT, 'a form'),
      requests('Accept: %s is %i'),
      requests('Content-Type: %s is %i'),
    ],
  },
  {
    id: 'endpoint.request-body',
    says: 'The body is one JSON-RPC 2.0 message.',
    proven: [
      wire(EXACT, 'half a body'),
      wire(EXACT, 'a batch'),
      wire(EXACT, 'a notification'),
      bodies('%s is refused'),
    ],
  },
  {
    id: 'endpoint.answer',
    says: 'A success is 200 with one event named message, whose data is the response; not bare JSON.',
    proven: [
      wire(EXACT, 'a request'),
      protocol('lists the tools as they were given, in one event of known length'),
    ],
  },
  {
    id: 'endpoint.not-the-page',
    says: '/mcp and /.well-known/ are 404 on an unconfigured instance, not the page.',
    proven: [wire('is 404 to a browser while it is off, and no page'), wire(NO_DOCUMENT, 'off')],
  },
  {
    id: 'document.public',
    says: 'The document needs no authentication and is readable from every origin.',
    proven: [wire(DOCUMENT)],
  },
  {
    id: 'document.cached',
    says: 'The document may be kept for 300 seconds.',
    proven: [wire(DOCUMENT)],
  },
  {
    id: 'document.no-secret',
    says: 'The document never holds a secret.',
    proven: [wire('holds no token')],
  },
  {
    id: 'document.resource',
    says: 'resource is <publicUrl>/mcp, never made of the Host header.',
    proven: [wire(DOCUMENT), gate('names the resource by its public address')],
  },
  ...['authorization-servers', 'scopes-supported', 'bearer-methods', 'resource-name'].map(
    (field): Requirement => ({
      id: `document.${field}`,
      says: `The field ${field} has its value.`,
      proven: [wire(DOCUMENT)],
    }),
  ),
  {
    id: 'document.only-with-issuers',
    says: 'The document is published only with issuers; else both addresses are 404.',
    proven: [wire(NO_DOCUMENT, 'plain')],
  },
  {
    id: 'document.both-forms',
    says: 'The path-inserted form belongs to the resource, and both forms are served.',
    proven: [wire(DOCUMENT), gate('has its paths, the one of the resource first')],
  },
];

const AUTHENTICATION: readonly Requirement[] = [
  {
    id: 'auth.own',
    says: 'The endpoint and its documents have an authenticator of their own, whatever the browser mode or proxy.',
    proven: [wire('has nothing to do with the authentication of pages'), wire(DOCUMENT)],
  },
  {
    id: 'auth.always',
    says: 'The endpoint asks for a credential even with auth.mode none, and works without a proxy.',
    proven: [wire('has nothing to do with the authentication of pages')],
  },
  {
    id: 'auth.bearer',
    says: 'The credential is a bearer token in the Authorization header, and nothing else.',
    proven: [
      wire(EXACT, 'a token in the query'),
      wire(EXACT, 'a token without its scheme'),
      wire(EXACT, 'a scheme in small letters'),
      gate('%j gives %s'),
    ],
  },
  {
    id: 'auth.only-config-tokens',
    says: 'Only tokens of the configuration exist.',
    proven: [boot(EVERY_CLIENT, 'auth.type'), wire(EXACT, 'a wrong token')],
  },
  {
    id: 'auth.digests',
    says: 'Tokens are compared by digests of fixed width, in constant time.',
    proven: [
      digests('compares every digest in constant time where %s matches'),
      digests('tells digests apart that differ in a single bit'),
    ],
  },
  {
    id: 'auth.every-client',
    says: 'Every client is looked at, without an early exit.',
    proven: [
      digests('compares every digest in constant time where %s matches'),
      digests('knows each of their tokens, also previous ones, and no other'),
    ],
  },
  {
    id: 'auth.min-length',
    says: 'A token has 24 characters or more, its prefix included.',
    proven: [boot('lets %s in', 'UNBOUND'), boot('keeps %s out', 'SHORT')],
  },
  {
    id: 'auth.min-length.dropped',
    says: 'A client with a shorter token is dropped with a warning.',
    proven: [boot(EVERY_CLIENT, 'SHORT'), lines(EXACT, 'a token of 23 characters')],
  },
  {
    id: 'auth.binding.refused',
    says: 'A shaped token of another instance is refused.',
    proven: [
      wire(EXACT, 'a token of this file that is bound to another instance'),
      boot('keeps %s out', 'ELSEWHERE'),
      gate('may carry an instance id with underscores'),
    ],
  },
  {
    id: 'auth.binding.not-checked',
    says: 'Without instanceId a shaped token is accepted as it is.',
    proven: [boot('without an instance id accepts any shaped token, and says nothing of it')],
  },
  {
    id: 'auth.binding.unbound',
    says: 'A token without a prefix works, with a warning.',
    proven: [boot('lets %s in', 'UNBOUND'), lines(EXACT, 'a token that is not bound')],
  },
  {
    id: 'auth.token-form',
    says: 'Tokens are made as tok_, the instance id and a random secret, joined by underscores.',
    proven: [token('makes what, put where it says, svc token check finds usable')],
  },
  {
    id: 'auth.before-body',
    says: 'The gate runs before the body is read.',
    proven: [
      wire('%s is told without the body', 'unauthorized'),
      wire(
        'a client that waits before it sends its body gets %s',
        '401 to a client without a token',
      ),
    ],
  },
  {
    id: 'auth.every-method',
    says: 'The gate looks at every method: GET without a token is 401, not 405.',
    proven: [wire('to %s without a token is 401', 'GET'), wire('$name comes before $other')],
  },
  {
    id: 'auth.challenge',
    says: 'Whoever is not authenticated gets 401 with a challenge, never a redirect.',
    proven: [wire(EXACT, 'no credential'), challenge('keeps to the grammar of its header')],
  },
  {
    id: 'auth.challenge.shape',
    says: 'The challenge is Bearer with the realm svc.',
    proven: [wire(EXACT, 'no credential, and no document')],
  },
  {
    id: 'auth.challenge.error',
    says: 'It has invalid_token and a description, unless no credential was presented at all.',
    proven: [
      wire(EXACT, 'another scheme, and no document'),
      wire(EXACT, 'a scheme without a token'),
      wire(EXACT, 'no credential, and no document'),
    ],
  },
  {
    id: 'auth.challenge.metadata',
    says: 'It names the path-inserted document, only where that is served.',
    proven: [
      wire(EXACT, 'no credential'),
      wire(EXACT, 'no credential, and no document'),
      gate('of %j with issuers %j is challenged by %s'),
    ],
  },
  {
    id: 'auth.secure',
    says: 'A request is secure over TLS at the process, behind a proxy that says https, or from loopback.',
    proven: [
      gate(TRANSPORT),
      wire(EXACT, 'the first X-Forwarded-Proto is https'),
      wire(EXACT, 'everybody on the way is loopback'),
      boot('counts only trusted proxies for TLS'),
      tls('lets clients of /mcp in from anywhere'),
    ],
  },
  {
    id: 'auth.insecure',
    says: 'Any other request is 403 insecure_transport.',
    proven: [
      wire(EXACT, 'X-Forwarded-For names somebody far away'),
      wire(EXACT, 'Forwarded names somebody far away'),
    ],
  },
  {
    id: 'auth.published-port',
    says: 'What comes through the published port of a container is not loopback.',
    proven: [gate(TRANSPORT, '192.168.1.2')],
  },
  {
    id: 'auth.insecure-public-url',
    says: 'A public address that is neither loopback nor https switches the endpoint off at start.',
    proven: [boot(OFF, 'a public URL in plain text'), boot(URL_OFF, 'http://10.0.0.7')],
  },
];

const AUTHORIZATION: readonly Requirement[] = [
  {
    id: 'policy.in-operations',
    says: 'The policy is enforced with the operations, whatever the transport.',
    proven: [
      scope('denies every operation on a project outside it, whether or not there is one'),
      data(
        'an operation with %s is refused, even to those who may do everything',
        'a name outside the catalogue',
      ),
      keeper(KEEPER_GATES),
    ],
  },
  {
    id: 'policy.both-dimensions',
    says: 'A call needs both the operation and the project.',
    proven: [calls(ELSEWHERE, 'alpha'), calls(HIDDEN)],
  },
  {
    id: 'policy.deny-wins',
    says: 'deny beats allow; denyProjects beats projects.',
    proven: [
      calls(SEEN, 'deny-wins'),
      calls(ELSEWHERE, 'not-beta'),
      literals('beats every permission'),
    ],
  },
  {
    id: 'policy.patterns',
    says: 'A pattern is * or a prefix with * at its end.',
    proven: [policy('%j over %j: %s'), calls(SEEN, 'two-forks')],
  },
  {
    id: 'policy.literals',
    says: 'Anything else is a literal, so that a typo grants nothing.',
    proven: [
      calls(SEEN, 'mistyped'),
      policy('without a trailing star never covers another name'),
      literals('may hold any character, and covers just the text that it is'),
    ],
  },
  {
    id: 'policy.catalogue-only',
    says: 'An operation outside the catalogue is refused, whatever is allowed.',
    proven: [
      calls(HIDDEN, 'outside'),
      literals('is refused whatever is allowed, and is never seen'),
    ],
  },
  {
    id: 'policy.enumerations',
    says: 'list_projects and list_chats show what is in scope.',
    proven: [
      calls('are only the projects and chats in its reach'),
      calls('each see their own only, and what they start is theirs'),
      scope('filters what is enumerated'),
    ],
  },
  {
    id: 'policy.named-targets',
    says: 'A target that is named is checked, and refused out of scope.',
    proven: [
      calls(ELSEWHERE),
      scope('lets no other spelling of a denied project pass: %j'),
      scope('lets no other name of the folder pass either'),
      scope(
        'denies a chat of such a project by its id alone, and cannot be told from an unknown one',
      ),
    ],
  },
  {
    id: 'policy.hidden',
    says: 'Tools out of scope are not listed.',
    proven: [calls(SEEN)],
  },
  {
    id: 'policy.hidden.unknown',
    says: 'Calling one by name gets the answer of an unknown tool.',
    proven: [calls(HIDDEN), operations('answers for what is hidden as for what does not exist')],
  },
  {
    id: 'policy.readers',
    says: 'Who holds no write or trigger operation gets no write tools.',
    proven: [
      calls(SEEN, 'outside'),
      policy('without a write or trigger operation shows no write operation'),
    ],
  },
  {
    id: 'policy.batch',
    says: 'fork_chat_batch is hidden unless fork_chat is granted too.',
    proven: [calls(SEEN, 'batch'), calls(SEEN, 'two-forks'), calls(HIDDEN, 'batch')],
  },
  {
    id: 'policy.no-keeper-gates',
    says: 'The switches of keepers do not bind clients; their scope does.',
    proven: [calls(STORY), calls('are none while the switches are off, which bind no client')],
  },
  {
    id: 'policy.denial',
    says: 'A denial is a tool result with isError and the sentence, on 200.',
    proven: [calls(ELSEWHERE), policy('says which operation was refused')],
  },
  {
    id: 'policy.oauth-scopes',
    says: 'list_triggers is svc:read; what mutates or starts a turn is svc:write; it decides nothing.',
    proven: [policy('of %j are %j')],
  },
];

const HANDLING: readonly Requirement[] = [
  {
    id: 'handling.malformed',
    says: 'A malformed client is an error line, and is skipped alone.',
    proven: [boot(EVERY_CLIENT), config('%j is an error at %s and alone is skipped')],
  },
  {
    id: 'handling.public-url',
    says: 'A missing or invalid publicUrl with clients switches everything off.',
    proven: [boot(OFF, 'no public URL'), boot(URL_OFF)],
  },
  {
    id: 'handling.unresolvable',
    says: 'A token that is unset, blank or too short drops its client with a warning; others work.',
    proven: [
      boot(EVERY_CLIENT, 'UNSET'),
      boot('lets %s in'),
      lines(EXACT, 'a token that is blank'),
    ],
  },
  {
    id: 'handling.all-dropped',
    says: 'When all clients drop, /mcp is the 404 of an unconfigured one.',
    proven: [boot(OFF, 'no client with a token')],
  },
  {
    id: 'handling.code-warning',
    says: 'A scope that grants an operation that runs code is warned about, by the name of the client.',
    proven: [
      boot(EVERY_CLIENT, 'denied: '),
      config('allowing %j without %j is one warning of %i operations'),
    ],
  },
  {
    id: 'handling.enabled-line',
    says: 'One line says /mcp enabled, with the clients and the instance id as fields.',
    proven: [
      boot(EVERY_CLIENT),
      boot('without an instance id accepts any shaped token, and says nothing of it'),
      reload('comes once, right before listening: %s', 'a sound one'),
    ],
  },
  {
    id: 'handling.disabled-line',
    says: 'Or one says /mcp disabled (no managementApi.clients configured).',
    proven: [
      boot(OFF, 'no client'),
      reload('comes once, right before listening: %s', 'no configuration'),
    ],
  },
  {
    id: 'handling.disabled-line.cause',
    says: 'It also comes where publicUrl is the cause, whose error is the line just before.',
    proven: [
      boot(OFF, 'a public URL in plain text'),
      boot(URL_OFF),
      reload('comes once, right before listening: %s', 'a wrong public URL'),
    ],
  },
  {
    id: 'handling.reload',
    says: 'SIGHUP reads file and tokens again; what is wrong leaves the old ones, and calls go on.',
    proven: [
      boot(ROTATION),
      reload(
        'SIGHUP reads clients and tokens again, and what is wrong leaves the old ones in place',
      ),
    ],
  },
];

const ERRORS: readonly Requirement[] = [
  {
    id: 'errors.order',
    says: 'Refusals come in the order of the gate.',
    proven: [
      wire('$name comes before $other'),
      wire('everything wrong at once gets the answer of the first'),
      wire('off comes before %s'),
    ],
  },
  {
    id: 'errors.off',
    says: '404 with error "not found" without clients or publicUrl.',
    proven: [wire(EXACT, 'the endpoint is off'), boot(OFF)],
  },
  {
    id: 'errors.insecure',
    says: '403 with code insecure_transport in plain text from afar.',
    proven: [wire(EXACT, 'X-Forwarded-For names somebody far away')],
  },
  {
    id: 'errors.unauthorized',
    says: '401 with a challenge and code auth_required: missing, malformed or unknown.',
    proven: [
      wire(EXACT, 'no credential'),
      wire(EXACT, 'a scheme without a token'),
      wire(EXACT, 'a wrong token'),
    ],
  },
  {
    id: 'errors.method',
    says: '405 with Allow: POST and JSON-RPC -32000 after the gate.',
    proven: [wire(EXACT, 'GET'), wire(EXACT, 'DELETE')],
  },
  {
    id: 'errors.unavailable',
    says: '503 with code ops_unavailable where there are no operations.',
    proven: [
      wire('answers 503 to who gets in, before every question about headers'),
      refusals('there are no tools: %s'),
    ],
  },
  {
    id: 'errors.not-acceptable',
    says: '406 with JSON-RPC -32000 and its sentence, after the gate.',
    proven: [
      wire(EXACT, 'no Accept'),
      wire(EXACT, 'Accept without the stream'),
      wire(EXACT, 'Accept without JSON'),
    ],
  },
  {
    id: 'errors.everything-else',
    says: '200 with an event stream for everything else, errors of tools included.',
    proven: [
      wire(EXACT, 'a request'),
      wire(EXACT, 'a request in error'),
      wire(EXACT, 'a tool that is not there'),
    ],
  },
  {
    id: 'errors.documents',
    says: 'Documents are 404 without issuers, or while the endpoint is off.',
    proven: [wire(NO_DOCUMENT, 'plain'), wire(NO_DOCUMENT, 'off')],
  },
  {
    id: 'errors.unknown-tool',
    says: 'A tool out of scope or not there: an error of the tool, Unknown tool: <name>.',
    proven: [calls(HIDDEN), wire(EXACT, 'a tool that is not there')],
  },
  {
    id: 'errors.denied',
    says: 'An operation or project that is denied: isError with the sentence of the denial.',
    proven: [calls(ELSEWHERE)],
  },
];

const VERSIONING: readonly Requirement[] = [
  {
    id: 'versions.server',
    says: 'initialize tells the version of the package.',
    proven: [wire('introduces the server by its name and the version of the command')],
  },
  {
    id: 'versions.credentials',
    says: 'Only token credentials are there; other types are configuration errors.',
    proven: [boot(EVERY_CLIENT, 'oauth: ')],
  },
  {
    id: 'versions.one-toolset',
    says: 'The endpoint has the toolset of keepers, without a second definition.',
    proven: [calls('are the same operations, for real'), calls(SEEN, 'all')],
  },
];

/** What is promised about the management endpoint, sentence by sentence. */
export const REQUIREMENTS: readonly Requirement[] = [
  ...CONFIGURATION,
  ...SCOPE,
  ...CATALOGUE,
  ...TOOLS,
  ...ENDPOINT,
  ...AUTHENTICATION,
  ...AUTHORIZATION,
  ...HANDLING,
  ...ERRORS,
  ...VERSIONING,
];
