// Everything that works on the files and the database of a home. It is large, so commands load it on demand, in one piece: a start
// then opens few files.
export { createHomeProjects } from './home-projects.ts';
export { openLocalHome } from './local-home.ts';
export { readManagement } from './management.ts';
export { backupVerb } from './verbs/backup.ts';
export { doctorVerb } from './verbs/doctor.ts';
export { initVerb } from './verbs/init.ts';
export { migrateStoreVerb } from './verbs/migrate-store.ts';
export { restoreVerb } from './verbs/restore.ts';
export { serveVerb } from './verbs/serve.ts';
