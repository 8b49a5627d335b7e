/**
 * The words of the review, in every language of the page. They are loaded with the review and not
 * with the page.
 */
import type { Lang } from '../browser/lang';
import type { Group, Suggestion } from '../model/review';
import { pluralOf } from './plural';

const english = pluralOf('en');
const german = pluralOf('de');

interface ReviewWords {
  readonly title: (name: string) => string;
  readonly job: (when: string) => string;
  readonly none: string;
  readonly progress: (n: number, all: number) => string;
  readonly more: (questions: number) => string;
  readonly left: (left: number, all: number) => string;
  readonly alike: string;
  readonly everything: string;
  readonly answered: (by: string) => string;
  readonly photo: (name: string) => string;
  readonly showHand: string;
  readonly showWhole: string;
  readonly total: (points: number) => string;
  readonly noScore: string;
  readonly typed: string;
  readonly save: string;
  readonly undo: string;
  readonly previous: string;
  readonly next: string;
  readonly kept: (name: string, total: number | null) => string;
  readonly finish: string;
  readonly finished: string;
  readonly inResults: string;
  readonly answeredAll: string;
  readonly nothing: string;
  readonly reviewer: string;
  readonly noPhoto: string;
  readonly choosePhotos: string;
  readonly suggestions: Readonly<Record<Suggestion, string>>;
  readonly groups: Readonly<Record<Group, string>>;
}

const en: ReviewWords = {
  title: (name) => `Review of ${name}`,
  job: (when) => `the job of ${when}`,
  none: 'There is nothing to review here. Run “tilesight review” with the folder of a batch.',
  progress: (n, all) => `${n} of ${all}`,
  more: (questions) => `and ${questions} more`,
  left: (left, all) => `${left} of ${all} left`,
  alike: 'Alike cases',
  everything: 'All photos',
  answered: (by) => (by ? `answered by ${by}` : 'answered'),
  photo: (name) => `Photo ${name}`,
  showHand: 'Show the hand',
  showWhole: 'Show the whole photo',
  total: (points) => `${points} ${english(points, 'point', 'points')}`,
  noScore: 'no score',
  typed: 'The hand',
  save: 'Save',
  undo: 'Undo',
  previous: 'Previous photo',
  next: 'Next photo',
  kept: (name, total) => `Kept: ${name}${total === null ? '' : `, ${en.total(total)}`}`,
  finish: 'At the end, run this again to write the table:',
  finished: 'Every photo is answered. Run this again to write the table:',
  inResults: 'Every answer is in the tables at once:',
  answeredAll: 'Every photo is answered. The tables:',
  nothing: 'No photo is in doubt. The tables:',
  reviewer: 'Reviewer',
  noPhoto: 'This photo is not stored any more. Choose the photos on this device to see them here.',
  choosePhotos: 'Choose photos',
  suggestions: {
    accept: 'Right as read',
    no_hand: 'No hand to score',
    another_game: 'Another game',
    type: 'Type the hand',
  },
  groups: {
    correction: 'The correction can’t be scored',
    winning_tile: 'Winning tile unknown',
    tile: 'A tile may be another one',
    set: 'A set may be claimed or concealed',
    flower: 'A flower may be the winner’s or not',
    context: 'The win context contradicts the hand',
    tiles_missing: 'A tile is missing or cut off',
    near_win: 'One or two tiles away from a win',
    small_doubts: 'Many small doubts',
    sixteen_tiles: 'Sixteen-tile mahjong: read them by its rules',
    strip: 'A strip cut out of a photo',
    not_a_hand: 'Tiles far from a winning hand',
    loose_tiles: 'A few tiles, not a hand',
    no_tiles: 'No tiles in the picture',
    failed: 'The photo can’t be read',
    left_out: 'Left out by a reviewer',
    sure: 'Read for sure',
  },
};

const de: ReviewWords = {
  title: (name) => `Durchsicht von ${name}`,
  job: (when) => `Auftrag vom ${when}`,
  none: 'Hier gibt es nichts durchzusehen. Starten Sie „tilesight review“ mit dem Ordner eines Stapels.',
  progress: (n, all) => `${n} von ${all}`,
  more: (questions) => german(questions, 'und eine weitere', `und ${questions} weitere`),
  left: (left, all) => `noch ${left} von ${all}`,
  alike: 'Ähnliche Fälle',
  everything: 'Alle Fotos',
  answered: (by) => (by ? `beantwortet von ${by}` : 'beantwortet'),
  photo: (name) => `Foto ${name}`,
  showHand: 'Die Hand zeigen',
  showWhole: 'Das ganze Foto zeigen',
  total: (points) => `${points} ${german(points, 'Punkt', 'Punkte')}`,
  noScore: 'keine Wertung',
  typed: 'Die Hand',
  save: 'Speichern',
  undo: 'Rückgängig',
  previous: 'Voriges Foto',
  next: 'Nächstes Foto',
  kept: (name, total) => `Gespeichert: ${name}${total === null ? '' : `, ${de.total(total)}`}`,
  finish: 'Am Ende schreibt derselbe Befehl die Tabelle neu:',
  finished: 'Jedes Foto ist beantwortet. Derselbe Befehl schreibt die Tabelle neu:',
  inResults: 'Jede Antwort steht sofort in den Tabellen:',
  answeredAll: 'Jedes Foto ist beantwortet. Die Tabellen:',
  nothing: 'Kein Foto ist zweifelhaft. Die Tabellen:',
  reviewer: 'Prüfer',
  noPhoto:
    'Dieses Foto ist nicht mehr gespeichert. Wählen Sie die Fotos auf diesem Gerät, um sie hier zu sehen.',
  choosePhotos: 'Fotos wählen',
  suggestions: {
    accept: 'Richtig gelesen',
    no_hand: 'Keine Hand zu werten',
    another_game: 'Ein anderes Spiel',
    type: 'Die Hand eingeben',
  },
  groups: {
    correction: 'Die Korrektur lässt sich nicht werten',
    winning_tile: 'Gewinnziegel unbekannt',
    tile: 'Ein Ziegel kann ein anderer sein',
    set: 'Ein Satz kann gerufen oder verdeckt sein',
    flower: 'Eine Blume gehört vielleicht nicht zur Hand',
    context: 'Die Umstände widersprechen der Hand',
    tiles_missing: 'Ein Ziegel fehlt oder ist abgeschnitten',
    near_win: 'Ein oder zwei Ziegel fehlen zum Gewinn',
    small_doubts: 'Viele kleine Zweifel',
    sixteen_tiles: 'Mahjong mit sechzehn Ziegeln: nach dessen Regeln lesen',
    strip: 'Ein Streifen aus einem Foto',
    not_a_hand: 'Ziegel weit von einer Gewinnhand',
    loose_tiles: 'Wenige Ziegel, keine Hand',
    no_tiles: 'Keine Ziegel im Bild',
    failed: 'Das Foto ist nicht lesbar',
    left_out: 'Von einem Prüfer ausgelassen',
    sure: 'Sicher gelesen',
  },
};

const da: ReviewWords = {
  title: (name) => `Gennemgang af ${name}`,
  job: (when) => `jobbet fra ${when}`,
  none: 'Der er intet at gennemgå her. Kør “tilesight review” med mappen fra en kørsel.',
  progress: (n, all) => `${n} af ${all}`,
  more: (questions) => `og ${questions} til`,
  left: (left, all) => `${left} af ${all} tilbage`,
  alike: 'Ens tilfælde',
  everything: 'Alle billeder',
  answered: (by) => (by ? `besvaret af ${by}` : 'besvaret'),
  photo: (name) => `Billede ${name}`,
  showHand: 'Vis hånden',
  showWhole: 'Vis hele billedet',
  total: (points) => `${points} point`,
  noScore: 'ingen pointtal',
  typed: 'Hånden',
  save: 'Gem',
  undo: 'Fortryd',
  previous: 'Forrige billede',
  next: 'Næste billede',
  kept: (name, total) => `Gemt: ${name}${total === null ? '' : `, ${total} point`}`,
  finish: 'Kør dette igen til sidst for at skrive tabellen:',
  finished: 'Alle billeder er besvaret. Kør dette igen for at skrive tabellen:',
  inResults: 'Hvert svar står straks i tabellerne:',
  answeredAll: 'Alle billeder er besvaret. Tabellerne:',
  nothing: 'Ingen billeder er i tvivl. Tabellerne:',
  reviewer: 'Gennemset af',
  noPhoto: 'Dette billede er ikke længere gemt. Vælg billederne på denne enhed for at se dem her.',
  choosePhotos: 'Vælg billeder',
  suggestions: {
    accept: 'Læst rigtigt',
    no_hand: 'Ingen hånd at tælle',
    another_game: 'Et andet spil',
    type: 'Skriv hånden',
  },
  groups: {
    correction: 'Rettelsen kan ikke tælles',
    winning_tile: 'Vinderbrik ukendt',
    tile: 'En brik kan være en anden',
    set: 'Et sæt kan være kaldt eller skjult',
    flower: 'En blomst hører måske ikke til hånden',
    context: 'Omstændighederne modsiger hånden',
    tiles_missing: 'En brik mangler eller er skåret af',
    near_win: 'En eller to brikker fra en gevinst',
    small_doubts: 'Mange små tvivl',
    sixteen_tiles: 'Mahjong med seksten brikker: læs dem efter dets regler',
    strip: 'En strimmel af et billede',
    not_a_hand: 'Brikker langt fra en vinderhånd',
    loose_tiles: 'Få brikker, ikke en hånd',
    no_tiles: 'Ingen brikker på billedet',
    failed: 'Billedet kan ikke læses',
    left_out: 'Udeladt ved gennemgangen',
    sure: 'Læst med sikkerhed',
  },
};

const sv: ReviewWords = {
  title: (name) => `Granskning av ${name}`,
  job: (when) => `jobbet från ${when}`,
  none: 'Det finns inget att granska här. Kör ”tilesight review” med mappen från en körning.',
  progress: (n, all) => `${n} av ${all}`,
  more: (questions) => `och ${questions} till`,
  left: (left, all) => `${left} av ${all} kvar`,
  alike: 'Liknande fall',
  everything: 'Alla bilder',
  answered: (by) => (by ? `besvarad av ${by}` : 'besvarad'),
  photo: (name) => `Bild ${name}`,
  showHand: 'Visa handen',
  showWhole: 'Visa hela bilden',
  total: (points) => `${points} poäng`,
  noScore: 'ingen poäng',
  typed: 'Handen',
  save: 'Spara',
  undo: 'Ångra',
  previous: 'Föregående bild',
  next: 'Nästa bild',
  kept: (name, total) => `Sparad: ${name}${total === null ? '' : `, ${total} poäng`}`,
  finish: 'Kör detta igen på slutet för att skriva tabellen:',
  finished: 'Alla bilder är besvarade. Kör detta igen för att skriva tabellen:',
  inResults: 'Varje svar står genast i tabellerna:',
  answeredAll: 'Alla bilder är besvarade. Tabellerna:',
  nothing: 'Ingen bild är tveksam. Tabellerna:',
  reviewer: 'Granskare',
  noPhoto: 'Den här bilden är inte längre sparad. Välj bilderna på den här enheten för att se dem här.',
  choosePhotos: 'Välj bilder',
  suggestions: {
    accept: 'Rätt läst',
    no_hand: 'Ingen hand att räkna',
    another_game: 'Ett annat spel',
    type: 'Skriv handen',
  },
  groups: {
    correction: 'Rättelsen kan inte räknas',
    winning_tile: 'Vinstbricka okänd',
    tile: 'En bricka kan vara en annan',
    set: 'Ett set kan vara kallat eller dolt',
    flower: 'En blomma hör kanske inte till handen',
    context: 'Omständigheterna motsäger handen',
    tiles_missing: 'En bricka saknas eller är avskuren',
    near_win: 'En eller två brickor från vinst',
    small_doubts: 'Många små tvivel',
    sixteen_tiles: 'Mahjong med sexton brickor: läs dem enligt dess regler',
    strip: 'En remsa ur en bild',
    not_a_hand: 'Brickor långt från en vinsthand',
    loose_tiles: 'Några få brickor, ingen hand',
    no_tiles: 'Inga brickor i bilden',
    failed: 'Bilden kan inte läsas',
    left_out: 'Utelämnad vid granskningen',
    sure: 'Säkert läst',
  },
};

const zh: ReviewWords = {
  title: (name) => `复核 ${name}`,
  job: (when) => `${when} 的任务`,
  none: '这里没有要复核的照片。请用批处理的文件夹运行 “tilesight review”。',
  progress: (n, all) => `${n} / ${all}`,
  more: (questions) => `还有 ${questions} 个`,
  left: (left, all) => `剩 ${left} / ${all}`,
  alike: '同类情况',
  everything: '全部照片',
  answered: (by) => (by ? `${by} 已回答` : '已回答'),
  photo: (name) => `照片 ${name}`,
  showHand: '显示手牌',
  showWhole: '显示整张照片',
  total: (points) => `${points} 分`,
  noScore: '没有得分',
  typed: '手牌',
  save: '保存',
  undo: '撤销',
  previous: '上一张',
  next: '下一张',
  kept: (name, total) => `已保存：${name}${total === null ? '' : `，${total} 分`}`,
  finish: '最后再次运行此命令即可写出表格：',
  finished: '所有照片都已回答。再次运行此命令即可写出表格：',
  inResults: '每个答案立即写入表格：',
  answeredAll: '所有照片都已回答。表格：',
  nothing: '没有存疑的照片。表格：',
  reviewer: '复核者',
  noPhoto: '这张照片已不再保存。选择本机上的照片即可在此查看。',
  choosePhotos: '选择照片',
  suggestions: {
    accept: '识别正确',
    no_hand: '没有要计分的手牌',
    another_game: '其他玩法',
    type: '输入手牌',
  },
  groups: {
    correction: '更正无法计分',
    winning_tile: '和牌张未知',
    tile: '某张牌可能认错',
    set: '某副牌可能是明的或暗的',
    flower: '某张花牌不一定属于和牌者',
    context: '和牌情况与手牌矛盾',
    tiles_missing: '缺牌或牌被裁掉',
    near_win: '差一两张牌和牌',
    small_doubts: '许多小疑问',
    sixteen_tiles: '十六张麻将：请按其规则重读',
    strip: '从照片裁下的长条',
    not_a_hand: '离和牌很远的牌',
    loose_tiles: '只有几张牌，不是手牌',
    no_tiles: '图中没有牌',
    failed: '照片无法读取',
    left_out: '复核者已略过',
    sure: '确定无疑',
  },
};

const WORDS: Readonly<Record<Lang, ReviewWords>> = { en, de, da, sv, zh };

export const reviewWords = (lang: Lang): ReviewWords => WORDS[lang];
