// What a word of SQL may become: tables, columns, SQL's own words; behind `orders.` or an alias, that table's columns.
const WORDS = "SELECT FROM WHERE GROUP BY ORDER BY HAVING LIMIT JOIN LEFT JOIN ON AS COUNT(*) SUM( AVG( MIN( MAX( DISTINCT BETWEEN CASE WHEN THEN ELSE END".split(" ");
const MOST = 8;
const READ = /\b(?:from|join)\s+([\w.]+)(?:\s+(?:as\s+)?(\w+))?/gi;

// `tables`: as `GET /schema` has them. Gives a function (SQL before the cursor, all of it) → words, the best first.
export function completer(tables) {
  const columnsOf = new Map();
  for (const { schema, table, columns } of tables) {
    for (const name of [table, `${schema}.${table}`]) columnsOf.set(name.toLowerCase(), columns.map((column) => column.name));
  }
  const every = [...new Set([...tables.map(({ schema, table }) => `${schema}.${table}`), ...[...columnsOf.values()].flat(), ...WORDS])];
  return (before, sql) => {
    const word = wordAtEnd(before);
    const [, owner, start] = word.match(/^(.*)\.(\w*)$/) ?? [];
    const own = owner && columnsOf.get(aliased(owner, sql));
    if (own) return best(own, start.toLowerCase()).map((name) => `${owner}.${name}`);
    return word.length > 1 ? best(every, word.toLowerCase()) : [];
  };
}

export const wordAtEnd = (text) => text.match(/[\w.]+$/)?.[0] ?? "";

// The table that `name` stands for, in small letters.
function aliased(name, sql) {
  const read = [...sql.matchAll(READ)].find(([, , alias]) => alias?.toLowerCase() === name.toLowerCase());
  return (read ? read[1] : name).toLowerCase();
}

// Names that begin so before those that hold it, the shortest first.
function best(names, word) {
  const found = names.filter((name) => name.toLowerCase().includes(word) && name.toLowerCase() !== word);
  const rank = (name) => (name.toLowerCase().startsWith(word) || name.toLowerCase().includes(`.${word}`) ? 0 : 1000) + name.length;
  return word ? found.sort((a, b) => rank(a) - rank(b)).slice(0, MOST) : found.slice(0, MOST);
}
