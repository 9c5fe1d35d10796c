import type { Rows } from './rows.ts';

/** Clients of the management endpoint: their configuration, and what they may do. */
export const CLIENTS: Rows = {
  'config.file-only': 'The block comes from the file; no environment variable replaces any of it.',
  'config.instance-id.binds':
    'instanceId binds tokens shaped tok_<instanceId>_<secret> to this instance.',
  'config.instance-id.absent': 'Without instanceId no binding is enforced.',
  'config.public-url.required': 'publicUrl is required whenever there are clients.',
  'config.public-url.canonical':
    'publicUrl is the canonical public origin, optionally with a path.',
  'config.public-url.https': 'publicUrl is https unless its host is loopback.',
  'config.public-url.bare': 'publicUrl has neither query nor fragment.',
  'config.public-url.slash': 'A trailing slash of publicUrl is stripped.',
  'config.authorization-servers.advertised': 'The issuers are advertised in the metadata document.',
  'config.authorization-servers.empty': 'Without issuers no document is published.',
  'config.auth-type.default': 'The default of auth.type is token.',
  'config.auth-type.only-token': 'Any other auth.type is a configuration error.',
  'config.auth-ref.variable':
    'auth.ref is required, and env:<NAME> names the variable with the token.',
  'config.auth-ref.only-form': 'env:<NAME> is the only form of auth.ref.',
  'config.inline-secret': 'A literal token or secret in the file is a hard error.',
  'config.client-id.identity':
    'The key of a client is its identity: it is logged, and recorded on what it starts.',
  'config.credential.never-logged': 'The credential itself is never logged or stamped.',

  'scope.projects.default': 'Without projects a client may touch every project.',
  'scope.projects.empty': 'An empty projects list grants no project.',
  'scope.allow.default': 'Without allow a client may invoke list_* and read_chat.',
  'scope.allow.empty': 'An empty allow list grants nothing.',
  'scope.deny.wins': 'deny always beats allow; by default it is empty.',
  'scope.deny-projects.wins': 'denyProjects beats projects; by default there are none.',
  'scope.max-spawn-depth': 'maxSpawnDepth limits the recursion of turns that the client starts.',
  'scope.max-spawn-depth.default':
    'The default of maxSpawnDepth is the limit of project or instance.',
  'scope.absent': 'A client without scope can read all projects with four operations.',

  'clone.refused':
    'Only people, and clients with all projects, set_trigger and no maxSpawnDepth, can clone a repository; agents cannot.',
  'clone.disabled':
    'Unless a person clones it, every trigger and schedule of a repository is disabled, and every setting that widens rights is reset, before its project appears.',
  'rights.chains':
    'No chain of clones, triggers, fires and chats starts a turn with tools, projects or a spawn depth that its principal lacks.',
  'policy.in-operations': 'The policy is enforced in the operations, whatever the transport.',
  'policy.both-dimensions': 'A call needs both the operation and the project.',
  'policy.deny-wins': 'deny beats allow; denyProjects beats projects.',
  'policy.patterns': 'A pattern is * or a prefix with * at its end.',
  'policy.literals': 'Anything else is a literal, so that a typo grants nothing.',
  'policy.catalogue-only': 'An operation outside the catalog is refused, whatever is allowed.',
  'policy.enumerations': 'list_projects and list_chats show what is in scope.',
  'policy.named-targets': 'A named target is checked, and refused if it is out of scope.',
  'policy.hidden': 'Tools out of scope are not listed.',
  'policy.hidden.unknown': 'Calling one by name gets the answer of an unknown tool.',
  'policy.readers': 'A client without write and trigger operations gets no write tools.',
  'policy.batch': 'fork_chat_batch is hidden unless fork_chat is granted too.',
  'policy.no-keeper-gates': 'The keeper gates do not apply to clients; their scope does.',
  'policy.denial': 'A denial is a tool result with isError and the sentence, on 200.',
  'policy.oauth-scopes':
    'list_triggers is svc:read; what mutates or starts a turn is svc:write; it decides nothing.',

  'handling.malformed': 'An invalid client is logged as an error, and only that client is skipped.',
  'handling.public-url': 'A missing or invalid publicUrl with clients disables the endpoint.',
  'handling.unresolvable':
    'A token that is unset, blank or too short drops its client with a warning; others work.',
  'handling.all-dropped': 'If all clients drop, /mcp answers 404 as if unconfigured.',
  'handling.code-warning':
    'A scope that grants an operation that runs code causes a warning with the client id.',
  'handling.enabled-line':
    'One line says /mcp enabled, with the clients and the instance id as fields.',
  'handling.disabled-line': 'Or one says /mcp disabled (no managementApi.clients configured).',
  'handling.disabled-line.cause':
    'It also comes where publicUrl is the cause, whose error is the line just before.',
  'handling.reload':
    'SIGHUP reads file and tokens again; invalid settings keep the old ones, and calls continue.',
};
