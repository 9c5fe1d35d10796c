// What stands in a manifest once it is packed. Where the repository is, "repository" of the package.json beside this says
// (https://HOST/OWNER/NAME); as long as that is empty, packages say nothing of it.
const { relative, sep } = require('node:path');
const root = require('./package.json');

function places(folder) {
  const { repository: url, homepage, bugs } = root;
  if (url === '') return {};
  return {
    homepage: homepage ?? `${url}/tree/main/${folder}#readme`,
    bugs: bugs ?? { url: `${url}/issues` },
    repository: { type: 'git', url: `git+${url}.git`, directory: folder },
  };
}

module.exports = {
  hooks: {
    // Scripts and what they need are of no use to whoever installs it.
    beforePacking({ scripts, devDependencies, ...manifest }, folder) {
      return { ...manifest, ...places(relative(__dirname, folder).split(sep).join('/')) };
    },
  },
};
