// Renders motifs for bonus tiles from the icon sets of package.json, and copies its fonts.
//
//   node render.mjs PACKAGES OUT
//
// Input: PACKAGES/node_modules as `npm ci` leaves it. Output: OUT/motifs.png (PNGs one after
// another), OUT/motifs.json (each one's set, name, kind, hint, colour and place in that file) and
// OUT/fonts/*.woff. Invariant: a set or font whose licence is not in LICENCES ends the run; names
// alone decide what is a motif, so that the same packages always give the same file.
import { createHash } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";

const [packages, out] = process.argv.slice(2).map((path) => resolve(path));
const { Resvg } = createRequire(join(packages, "package.json"))("@resvg/resvg-js");

const SIDE = 120; // Pixels; a tile's face in a training crop is 56 wide.
const MAX_VARIANTS = 2; // Of one name before its first dash, such as all the kinds of "farmer".
const LICENCES = ["MIT", "ISC", "Apache-2.0", "OFL-1.1", "CC0-1.0", "CC-BY-3.0", "CC-BY-4.0"];

// What a name must not hold: signs of interfaces, letters, numbers, and what resembles playing tiles:
// dragons, and wheels and coins, which are how makers draw the one of dots.
const REFUSED =
    /dragon|-off\b|slash|plus|minus|check|cancel|question|alert|arrow|outline-|button|letter|number|flag|face|emoji|mahjong|domino|dice|card|clock|logo|brand|google|apple-|android|git|cursor|chart|graph|text|sign-|symbol|keyboard|skin|light$|-thin$|-duotone$|-bold$|remove|delete|add-|-add|edit|setting|search|lock|wheel|coin|\bring\b|rosette|yin-yang|compass|target|-web|chat|message|zodiac|aries|capricorn|code|data|wifi|computer|printer/;
// Kinds in the order in which they are tried. A bird is also what the one of bamboo shows.
const KINDS = {
    bird: /\bbird|rooster|\bduck\b|\bswan|\bowl\b|peacock|parrot|eagle|\bdove|penguin|flamingo|\bcrane-bird|\bcrow\b|\bchick(en)?\b|turkey|goose|sparrow|hummingbird|\braven\b|\bhen\b/,
    flower: /flower|blossom|\brose\b|tulip|daisy|lotus|orchid|hibiscus|bouquet|rosette|\blily|hyacinth|carnation|chrysanthemum|clover|peony|lavender|vanilla/,
    season: /\bsun\b|sunny|sunrise|sunset|snow|\bice\b|\bcloud|\brain|umbrella|\bmoon|winter|autumn|\bspring\b|summer|christmas|santa|mitten|scarf|\bski\b|skate|pumpkin|jack-o|hot-springs|campfire|harvest|beach|thermometer|wind\b/,
    plant: /tree|\bpalm|bamboo|\bpine|cactus|\bherb|seedling|\bleaf|leaves|sprout|\bfern|\bplant|branch|mushroom|acorn|\bgrain|\brice|maple|willow|bonsai|\boak|wheat|\bvine|shamrock|tanabata|kadomatsu/,
    fruit: /apple\b|\bpear\b|peach|cherr|\bplum|grape|melon|lemon|orange\b|tangerine|banana|pineapple|strawberr|berr(y|ies)|coconut|mango|kiwi|tomato|eggplant|pepper|corn\b|carrot|garlic|onion|chestnut|avocado|fruit|citrus/,
    fish: /\bfish|carp|koi|shark|whale|dolphin|octopus|squid|shrimp|crab|lobster|turtle|shell\b|seahorse|blowfish/,
    insect: /butterfl|\bbee\b|honeybee|\bbug\b|ladybug|\bbeetle|cricket|\bant\b|spider|snail|dragonfl|caterpillar|centipede|scorpion|moth\b|\bfly\b|\bworm/,
    animal: /\bcat\b|\bdog\b|horse|\bcow\b|\box\b|\bpig\b|\bram\b|\bewe\b|sheep|goat|camel|elephant|mouse\b|\brat\b|rabbit|squirrel|hedgehog|\bbear\b|panda|koala|tiger|leopard|\blion|fox|wolf|monkey|gorilla|deer|zebra|giraffe|kangaroo|frog|crocodile|lizard|snake|unicorn|sloth|otter|skunk|badger|\bbat\b|llama|hippo|rhino|beaver|bison/,
    building: /castle|pagoda|temple|\bhouse|\bhut\b|tower|bridge|church|mosque|shrine|torii|\bgate|\binn\b|barn|lighthouse|\bbuilding|\bpalace|stadium|\btent|\bwell\b|windmill|fountain|\bhome\b|mountain|volcano|island|landscape|cityscape|desert/,
    person: /person|\bman\b|\bwoman\b|\bboy\b|\bgirl\b|farmer|\bmonk|wizard|\bsage|\bking\b|queen|princess|prince\b|ninja|samurai|\bfisher|\bchef|artist|scholar|teacher|student|judge|guard|dancer|fairy|genie|\bmage\b|\belf\b|merchant|\bbaby|\bchild|old-man|elder|fairy|merperson|mermaid|knight|peasant|sailor|warrior|geisha|\bcook\b|\bwitch/,
    thing: /lantern|\bfan\b|folding|teapot|\btea\b|scroll|\bbook\b|guitar|banjo|violin|\blute\b|harp|\bflute|drum|\bbell\b|fishing|\baxe\b|\bbow\b|sword|crown|\bcoin|money-bag|\bgift|\blamp|\bkite\b|sailboat|\bboat|\bship\b|canoe|anchor|\bvase|amphora|paintbrush|\bbrush\b|chess|pawn|\bhourglass|\bkey\b|knot|\bpot\b|\bhat\b|kimono|\bbasket|candle|incense|\bring\b|gem|jewel|\bpearl|ribbon|balloon|firework|sparkler|red-envelope|yin-yang|wheel|\bcart\b|\bshoe|slipper|parasol|mirror|comb\b|pipe\b|gourd|barrel|chest\b/,
};
// Which face a motif alone suggests. It is a hint, not a name: makers disagree.
const HINTS = {
    f1: /cherry-blossom|\bplum|sakura|white-flower/,
    f2: /orchid|\biris\b|hyacinth|\blily/,
    f3: /chrysanthemum|daisy|sunflower|rosette|dahlia/,
    f4: /bamboo|pine-decoration|kadomatsu|tanabata/,
    s1: /tulip|seedling|sprout|hatching|nest/,
    s2: /\bsun\b|sunny|lotus|beach|watermelon|palm-tree|sunglasses/,
    s3: /maple|fallen|leaf-fall|autumn|pumpkin|acorn|harvest|chestnut|jack-o/,
    s4: /snow|christmas|\bice\b|\bski\b|skate|winter|mitten|santa/,
};

const first = (table, name) => Object.keys(table).find((key) => table[key].test(name));
const json = (...path) => JSON.parse(readFileSync(join(...path), "utf8"));

/** Ends the run unless a package may be used and passed on, with credit where it asks for that. */
function checked(name, licence) {
    if (!LICENCES.includes(licence)) throw new Error(`${name} is under ${licence}, which is not among ${LICENCES.join(", ")}`);
    return licence;
}

/** The names of a set's motifs, no more than MAX_VARIANTS that begin alike. */
function chosen(names) {
    const counts = new Map();
    return names.filter((name) => {
        if (REFUSED.test(name) || !first(KINDS, name)) return false;
        const stem = name.split("-").slice(0, 2).join("-");
        counts.set(stem, (counts.get(stem) ?? 0) + 1);
        return counts.get(stem) <= MAX_VARIANTS;
    });
}

function rendered(set, icon) {
    const [width, height] = [icon.width ?? set.width ?? 16, icon.height ?? set.height ?? 16];
    const box = `${icon.left ?? set.left ?? 0} ${icon.top ?? set.top ?? 0} ${width} ${height}`;
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" color="#000" viewBox="${box}">${icon.body}</svg>`;
    return new Resvg(svg, { fitTo: { mode: width >= height ? "width" : "height", value: SIDE }, font: { loadSystemFonts: false } }).render().asPng();
}

function motifs() {
    const parts = [];
    const list = [];
    let at = 0;
    const folder = join(packages, "node_modules", "@iconify-json");
    for (const name of readdirSync(folder).sort()) {
        const info = json(folder, name, "info.json");
        const licence = checked(name, info.license.spdx);
        const set = json(folder, name, "icons.json");
        for (const icon of chosen(Object.keys(set.icons).sort())) {
            const png = rendered(set, set.icons[icon]);
            parts.push(png);
            list.push({ set: name, name: icon, kind: first(KINDS, icon), hint: first(HINTS, icon) ?? null, colour: info.palette === true, licence, at, bytes: png.length });
            at += png.length;
        }
    }
    return { bytes: Buffer.concat(parts), list };
}

/** Copies one regular face of each font: Chinese or Japanese where it has that, else Latin. */
function fonts() {
    const folder = join(packages, "node_modules", "@fontsource");
    return readdirSync(folder)
        .sort()
        .map((name) => {
            const licence = checked(name, json(folder, name, "package.json").license);
            const script = ["chinese-simplified", "japanese", "latin"].find((part) => readdirSync(join(folder, name, "files")).includes(`${name}-${part}-400-normal.woff`));
            copyFileSync(join(folder, name, "files", `${name}-${script}-400-normal.woff`), join(out, "fonts", `${name}.woff`));
            return { name, script, licence };
        });
}

mkdirSync(join(out, "fonts"), { recursive: true });
const { bytes, list } = motifs();
const packed = createHash("sha256").update(readFileSync(join(packages, "package-lock.json"))).digest("hex");
writeFileSync(join(out, "motifs.png"), bytes);
writeFileSync(join(out, "motifs.part"), `${JSON.stringify({ packages: packed, side: SIDE, fonts: fonts(), motifs: list })}\n`);
renameSync(join(out, "motifs.part"), join(out, "motifs.json"));
console.error(`motifs: ${list.length} of ${new Set(list.map((motif) => motif.set)).size} sets, ${bytes.length >> 20} MiB`);
