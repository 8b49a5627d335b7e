package tilesight

import java.io.Closeable

/** Languages of names and texts. */
enum class Lang(internal val code: String) {
    EN("en"), DE("de"), DA("da"), SV("sv"), ZH("zh"), ZH_HANT("zh-Hant"), JA("ja")
}

/**
 * What is wrong with a request, in the form of RFC 9457. `type` never changes; the texts may.
 */
class Problem(
    val type: String,
    val title: String,
    val status: Int,
    val detail: String,
    /** Wrong fields, each with its path, such as `hand.melds[1].tiles`. */
    val errors: List<FieldError>
) : RuntimeException(detail) {
    internal companion object {
        fun parse(text: String): Problem {
            val json = Json.members(Json.parse(text))
            return Problem(
                Json.text(json["type"]), Json.text(json["title"]), Json.int(json["status"]), Json.text(json["detail"]),
                json["errors"]?.let { errors -> Json.listOf(errors) { FieldError.from(it) } } ?: emptyList()
            )
        }
    }
}

/** Hand of another player, for rule sets that score everybody. */
class Other(val seat: String, val hand: String) {
    internal fun toJson() = mapOf("seat" to seat, "hand" to hand)
}

/** Hand in all its forms: as an object and as a line of notation. */
class WrittenHand(val hand: Hand, val context: WinContext, val notation: String)

/**
 * The engine: scores hands by the shipped rule sets, and by those of profiles, given as the texts of
 * their files. Threads may share it. After [close] every call throws a [Problem].
 */
class Engine @JvmOverloads constructor(profiles: List<String> = emptyList()) : Closeable {
    internal val handle: Long = bytes(profiles).let { Lib.kept(Lib.functions.tilesight_engine(it, it.size.toLong())) }

    /** Scores a hand in notation, such as `[EEE,2]123m456p789s5s5s`. */
    @JvmOverloads
    fun score(hand: String, context: WinContext = WinContext(), others: List<Other> = emptyList(), lang: Lang = Lang.EN): Score =
        score(request(hand, context, others), lang)

    /** Scores a hand of tiles. */
    @JvmOverloads
    fun score(hand: Hand, context: WinContext = WinContext(), others: List<Other> = emptyList(), lang: Lang = Lang.EN): Score =
        score(request(hand.toJson(), context, others), lang)

    /** Scores a hand by several rule sets, side by side. */
    @JvmOverloads
    fun scores(hand: String, rulesets: List<String>, context: WinContext = WinContext(), lang: Lang = Lang.EN): List<RulesetScore> {
        val request = request(hand, context, emptyList()) + ("rulesets" to rulesets)
        return Json.listOf(Json.parse(scoreJson(Json.write(request), lang))) { RulesetScore.from(it) }
    }

    /** Answers a request of `POST /v1/score`, from JSON to JSON. */
    @JvmOverloads
    fun scoreJson(request: String, lang: Lang = Lang.EN): String {
        val body = request.toByteArray()
        return Lib.text(Lib.functions.tilesight_score(handle, body, body.size.toLong(), lang.code))
    }

    /** Returns a hand as an object and as notation. The tiles need not be a whole hand. */
    @JvmOverloads
    fun hand(hand: String, context: WinContext = WinContext()): WrittenHand {
        val body = bytes(request(hand, context, emptyList()))
        val json = Json.members(Json.parse(Lib.text(Lib.functions.tilesight_hand(handle, body, body.size.toLong(), Lang.EN.code))))
        return WrittenHand(Hand.from(json["hand"]), WinContext.from(json["context"]), Json.text(json["notation"]))
    }

    /** Returns the rule sets with their options and lines. */
    @JvmOverloads
    fun rulesets(lang: Lang = Lang.EN): Rulesets =
        Rulesets.from(Json.parse(Lib.text(Lib.functions.tilesight_rulesets(handle, lang.code))))

    override fun close() {
        Lib.functions.tilesight_release(handle)
    }

    private fun score(request: Map<String, Any?>, lang: Lang): Score = Score.from(Json.parse(scoreJson(Json.write(request), lang)))

    private fun request(hand: Any, context: WinContext, others: List<Other>): Map<String, Any?> =
        mapOf("hand" to hand, "context" to context.toJson(), "others" to others.map { it.toJson() })
}

/**
 * An evening of deals. Its [record] is the text to keep; an evening is opened again with it.
 */
class Evening(private val engine: Engine, record: String) {
    /** The evening, as JSON. */
    @Volatile
    var record: String = record
        private set

    /**
     * Applies a change: the JSON of an action of `POST /v1/games/{id}/changes`, such as
     * `{"kind": "add", "play": {"kind": "draw"}}`.
     */
    @Synchronized
    @JvmOverloads
    fun change(action: String, by: String? = null, at: Long = System.currentTimeMillis()) {
        val before = record.toByteArray()
        // The text is passed on as it is: the library says what is wrong with it.
        val author = if (by == null) "" else ",\"by\":" + Json.write(by)
        val change = "{\"action\":$action$author}".toByteArray()
        record = Lib.text(
            Lib.functions.tilesight_game_change(
                engine.handle, before, before.size.toLong(), change, change.size.toLong(), at, Lang.EN.code
            )
        )
    }

    /** Returns deals, payments, totals and standings. */
    @JvmOverloads
    fun view(lang: Lang = Lang.EN): Game {
        val body = record.toByteArray()
        return Game.from(Json.parse(Lib.text(Lib.functions.tilesight_game_view(engine.handle, body, body.size.toLong(), lang.code))))
    }

    /** Returns the score sheet as comma-separated values. */
    fun csv(): String {
        val body = record.toByteArray()
        return Lib.text(Lib.functions.tilesight_game_table(engine.handle, body, body.size.toLong(), Lang.EN.code))
    }

    companion object {
        /** Begins an evening of four players, from East to North. */
        @JvmStatic
        @JvmOverloads
        fun begin(engine: Engine, players: List<String>, ruleset: String? = null, title: String? = null): Evening {
            val body = bytes(Json.withoutNulls("players" to players, "ruleset" to ruleset, "title" to title))
            return Evening(engine, Lib.text(Lib.functions.tilesight_game_begin(engine.handle, body, body.size.toLong(), Lang.EN.code)))
        }
    }
}

internal fun bytes(json: Any?): ByteArray = Json.write(json).toByteArray()
