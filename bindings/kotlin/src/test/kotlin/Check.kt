import java.io.File
import java.nio.charset.StandardCharsets.UTF_8
import java.util.Collections
import kotlin.concurrent.thread
import kotlin.system.exitProcess
import tilesight.Engine
import tilesight.Evening
import tilesight.Focus
import tilesight.Hand
import tilesight.Json
import tilesight.Lang
import tilesight.Problem
import tilesight.ReadOptions
import tilesight.Reader
import tilesight.Score
import tilesight.SetFile
import tilesight.WinContext

/*
 * The library as a user of the JVM has it: every corpus, photos, own sets, hostile input.
 *
 *     CheckKt CORPUS MODELS ONNXRUNTIME PHOTO SHEET
 */

const val HAND = "[EEE,2]123m456p789s5s5s"
const val NOT_FOUND = "urn:tilesight:problem:not-found"
const val MALFORMED = "urn:tilesight:problem:malformed-request"

/** Hands of each rule set, at least. */
val ROWS = mapOf("mcr-wmo" to 8637, "mcr-mil" to 8637, "mmm" to 24, "classical-dmjl" to 1021)

fun main(args: Array<String>) {
    val (corpus, models, onnxruntime, photo, sheet) = args
    val tests = listOf<Pair<String, () -> Unit>>(
        "scores are typed" to ::testScores,
        "every hand of the corpora" to { testCorpus(File(corpus)) },
        "an evening" to ::testEvening,
        "hostile input" to ::testHostile,
        "what was closed" to ::testClosed,
        "threads" to ::testThreads,
        "JSON" to ::testJson,
        "photos" to { testPhotos(models, onnxruntime, File(photo).readBytes()) },
        "own sets" to { testSets(models, onnxruntime, File(photo).readBytes(), File(sheet).readBytes()) }
    )
    var failed = 0
    for ((name, test) in tests) {
        try {
            test()
            println("passed: $name")
        } catch (error: Throwable) {
            failed++
            println("FAILED: $name")
            error.printStackTrace(System.out)
        }
    }
    println("${tests.size - failed} passed, $failed failed")
    exitProcess(if (failed == 0) 0 else 1)
}

fun <T> expect(expected: T, found: T, about: String = "") {
    if (expected != found) throw AssertionError("$about: $found instead of $expected")
}

/** Expects a problem of a type, about a field if one is given. */
fun expectProblem(type: String, field: String? = null, call: () -> Unit) {
    try {
        call()
    } catch (problem: Problem) {
        expect(type, problem.type, problem.detail)
        if (field != null) expect(field, problem.errors.firstOrNull()?.field, problem.detail)
        return
    }
    throw AssertionError("no problem, but $type was expected")
}

fun testScores() = Engine().use { engine ->
    val score = engine.score(HAND, WinContext(seat = "E", prevalent = "S", win = "self_drawn"))
    expect(12, score.total)
    expect(true, score.awards.any { it.code == "mixed_straight" && it.points == 8 })
    expect(0, score.payments.run { E + S + W + N })
    val written = engine.hand(HAND, WinContext(seat = "E"))
    expect(engine.score(HAND, WinContext(seat = "E")), engine.score(written.hand, WinContext(seat = "E")))
    val names = Lang.values().map { engine.score(HAND, lang = it).awards.first().name }.toSet()
    expect(true, names.size >= 4, names.toString())
    expect(listOf("mcr-wmo", "mmm", "hk-old"), engine.scores(HAND, listOf("mcr-wmo", "mmm", "hk-old")).map { it.ruleset })
    expect(true, engine.rulesets().rulesets.any { it.id == "riichi-wrc" })
    val club = "id = \"club\"\nextends = \"mcr-wmo\"\n[title]\nen = \"Club\"\n"
    Engine(listOf(club)).use { own ->
        expect(score.total, own.score(HAND, WinContext(ruleset = "club", seat = "E", prevalent = "S", win = "self_drawn")).total)
    }
    expectProblem(MALFORMED, "context.ruleset") { engine.score(HAND, WinContext(ruleset = "club")) }
    expectProblem(MALFORMED, "profiles[0]") { Engine(listOf("id = 3")) }
}

fun testCorpus(corpus: File) = Engine().use { engine ->
    val counted = HashMap<String, Int>()
    corpus.forEachLine(UTF_8) { line ->
        val row = Json.parse(line) as Map<*, *>
        val request = row["request"] as Map<*, *>
        val source = row["source"].toString()
        val (hand, context) = Pair(request["hand"], WinContext.from(request["context"]))
        val score = if (hand is String) engine.score(hand, context) else engine.score(Hand.from(hand), context)
        val ruleset = score.ruleset!!
        expect((row["total"] as Long).toInt(), if (ruleset == "mmm") score.value else score.total, source)
        expect(Score.from(row["answer"]), score, source)
        counted[ruleset] = (counted[ruleset] ?: 0) + 1
    }
    ROWS.forEach { (ruleset, number) -> expect(true, counted[ruleset] ?: 0 >= number, "hands of $ruleset") }
    println("${counted.values.sum()} hands scored")
}

fun testEvening() = Engine().use { engine ->
    val evening = Evening.begin(engine, listOf("Ada", "Bo", "Cy", "Di"), "mcr-wmo")
    evening.change("{\"kind\": \"add\", \"play\": {\"kind\": \"draw\"}}")
    expect(1, evening.view().rows.size)
    expect(evening.view(), Evening(engine, evening.record).view())
    expect(true, "Ada" in evening.csv())
    val before = evening.record
    expectProblem("urn:tilesight:problem:invalid-entry") {
        evening.change("{\"kind\": \"rename\", \"title\": \"\", \"players\": [\"Ada\", \"Ada\", \"Ada\", \"Ada\"]}")
    }
    expectProblem(MALFORMED) { evening.change("{") }
    expect(before, evening.record)
    expectProblem(MALFORMED) { Evening(engine, "{\"a\": 1}").view() }
}

fun testHostile() = Engine().use { engine ->
    expectProblem("urn:tilesight:problem:unreadable-notation", "hand") { engine.score("11x") }
    expectProblem("urn:tilesight:problem:invalid-hand") { engine.score("11111m22m33m44m5m") }
    expectProblem(MALFORMED, "context.seat") { engine.score(HAND, WinContext(seat = "X")) }
    for (hand in listOf("", "\u0000\u0000", "\ud800", "1m".repeat(1000000), "\ud83c\udc07".repeat(14))) {
        try {
            engine.score(hand)
            throw AssertionError("$hand was scored")
        } catch (problem: Problem) {
            expect(true, problem.status in 400..499)
        }
    }
    for (json in listOf("", "[", "[".repeat(100000), "null", "{\"hand\": {\"melds\": [[[]]]}}", "{\"hand\": 3}")) {
        try {
            engine.scoreJson(json)
            throw AssertionError("$json was scored")
        } catch (problem: Problem) {
            expect(true, problem.status in 400..499)
        }
    }
}

fun testClosed() {
    val engine = Engine()
    engine.close()
    engine.close()
    expectProblem(NOT_FOUND, "engine") { engine.score(HAND) }
    expectProblem(NOT_FOUND, "engine") { engine.rulesets() }
    expectProblem(NOT_FOUND, "engine") { Evening.begin(engine, listOf("A", "B", "C", "D")) }
}

fun testThreads() = Engine().use { engine ->
    val shared = Engine()
    val expected = engine.score(HAND)
    val wrong = Collections.synchronizedList(ArrayList<Any>())
    val threads = List(8) {
        thread {
            repeat(100) { round ->
                if (engine.score(HAND) != expected) wrong.add(round)
                try {
                    shared.score(HAND)
                } catch (problem: Problem) {
                    if (problem.type != NOT_FOUND) wrong.add(problem)
                }
                if (round == 50) shared.close()
            }
        }
    }
    threads.forEach { it.join() }
    expect(emptyList<Any>(), wrong)
}

fun testJson() {
    val value = mapOf("a" to listOf(1L, -2.5, true, null, "\"\\\n\u0001\ud83c\udc07"), "b" to emptyMap<String, Any>(), "c" to emptyList<Any>())
    expect(value as Any?, Json.parse(Json.write(value)))
    expect("\u00e9\ud83c\udc07\n/" as Any?, Json.parse("\"\\u00e9\\ud83c\\udc07\\n\\/\""))
    for (wrong in listOf("", "{", "{\"a\"}", "[1,]", "\"\\u12", "tru", "1 2", "[".repeat(1000), "nul", "NaN", "1f", "01", "+5", "\"\\q\"", "\"\\u-123\"")) {
        try {
            Json.parse(wrong)
            throw AssertionError("$wrong was read")
        } catch (expected: IllegalArgumentException) {
        }
    }
}

fun testPhotos(models: String, onnxruntime: String, photo: ByteArray) = Engine().use { engine ->
    val context = WinContext(seat = "W", prevalent = "S", win = "discard", from = "right")
    val reader = Reader(models, onnxruntime)
    val reading = reader.read(engine, photo, ReadOptions(context, focus = Focus(400, 450)))
    expect("1123456789m222s1m", reading.notation)
    expect(20, reading.total)
    val open = reader.read(engine, photo, ReadOptions()).run { doubts.firstOrNull()?.let { Pair(this, it) } }
    if (open != null && open.second.answers.isNotEmpty()) {
        val answered = open.first.answer(mapOf(open.second.id to open.second.answers.first().send))
        expect(false, answered.doubts.any { it.id == open.second.id })
    }
    expect(2, reader.readTogether(engine, listOf(photo, photo), ReadOptions(context)).answer.photos?.size)
    for (wrong in listOf(ByteArray(0), "GIF89a".toByteArray(), photo.copyOf(5000), ByteArray(1000))) {
        try {
            reader.read(engine, wrong)
            throw AssertionError("${wrong.size} bytes were read")
        } catch (problem: Problem) {
            expect(true, problem.status in 400..499)
        }
    }
    expectProblem("urn:tilesight:problem:internal") { Reader("/none", onnxruntime) }
    expectProblem("urn:tilesight:problem:internal") { Reader(models, "/none") }
    expectProblem(MALFORMED) { Reader(models, onnxruntime, sets = listOf(SetFile("no set"))) }
    reader.close()
    expectProblem(NOT_FOUND, "reader") { reader.read(engine, photo) }
}

fun testSets(models: String, onnxruntime: String, photo: ByteArray, sheet: ByteArray) = Engine().use { engine ->
    Reader(models, onnxruntime).use { reader ->
        val rows = reader.sheet(sheet)
        expect("1m", rows.first().first().name)
        val home = reader.learn(sheet, "Home")
        expect("Home", home.content().name)
        val club = reader.merge(listOf(home, home), "Club")
        expect("Club", club.content().name)
        expectProblem(MALFORMED) { SetFile(home.text.take(home.text.length / 2)).content() }
        expectProblem(MALFORMED) { reader.learn(sheet, "Home", "1m") }
        expectProblem(MALFORMED) { reader.merge(emptyList()) }
        Reader(models, onnxruntime, sets = listOf(home)).use { own ->
            val reading = own.read(engine, photo, ReadOptions(set = "Home"))
            expect("Home", reading.answer.set?.asked)
        }
    }
}
